// Saves a text or a picture as a file.
export function save(name: string, text: string): void { saveBytes(name, new Blob([text])); }

export function saveBytes(name: string, bytes: Blob): void {
  const a = document.createElement('a');
  a.href = URL.createObjectURL(bytes);
  a.download = name;
  a.click();
  URL.revokeObjectURL(a.href);
}
