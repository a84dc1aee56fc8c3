/** `20270329T070000Z`. */
export function utcText(at: Date): string {
  return `${localText(at.getTime())}Z`;
}

/** The wall-clock time that clocks in UTC show at these milliseconds: `20270329T090000`. */
export function localText(wall: number): string {
  return new Date(wall).toISOString().slice(0, 19).replace(/[-:]/g, '');
}

/** `20270329`. */
export function dateText(on: string): string {
  return on.replaceAll('-', '');
}
