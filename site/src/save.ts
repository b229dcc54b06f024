// Saves a text as a file.
export function save(name: string, text: string): void {
  const a = document.createElement('a');
  a.href = URL.createObjectURL(new Blob([text]));
  a.download = name;
  a.click();
  URL.revokeObjectURL(a.href);
}
