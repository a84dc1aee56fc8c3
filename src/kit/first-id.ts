/** The least id (UUID v7) of a time. Ids begin with their time, so the primary key finds old rows without another index. */
export function firstIdAt(time: number): string {
  const hex = Math.max(0, time).toString(16).padStart(12, '0');
  return `${hex.slice(0, 8)}-${hex.slice(8)}-0000-0000-000000000000`;
}
