// Times as the age view reads and writes them.

/** The ms of a tagged wall clock, such as time:1669713420123. */
export const ms = (tagged: unknown): number | undefined => { const d = /^time:(-?\d+)$/.exec(String(tagged))?.[1]; return d === undefined ? undefined : Number(d); };

/** Minutes and seconds, as a stop watch shows them. */
export function minutes(time: number): string {
  const total = Math.floor(Math.abs(time) / 1000);
  return `${time < 0 ? '−' : ''}${Math.floor(total / 60)}:${String(total % 60).padStart(2, '0')}`;
}
