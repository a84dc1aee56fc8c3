/** From here on a percentage says less than a multiple. */
const MANY_TIMES = 10;
const COUNT = new Intl.NumberFormat('en-US');

/** `12,480`. */
export function count(value: number): string {
  return COUNT.format(value);
}

/** `1 call`, `12,480 calls`. */
export function counted(value: number, one: string, many = `${one}s`): string {
  return `${count(value)} ${value === 1 ? one : many}`;
}

/** `4.1 ms`, `380 ms`, `2.4 s`, in one piece; a dash if there is none. */
export function duration(ms: number | null): string {
  if (ms === null) return '–';
  if (ms >= 1000) return `${decimal(ms / 1000, ms < 10_000 ? 1 : 0)}\u00a0s`;
  return `${decimal(ms, ms < 10 ? 1 : 0)}\u00a0ms`;
}

/** `0 %`, `0.4 %`, `12 %` of a share from 0 to 1. A share that is not all or nothing is never shown as such. */
export function percent(share: number): string {
  const value = share * 100;
  if (value > 0 && value < 0.1) return '< 0.1 %';
  if (value < 100 && value >= 99.95) return '> 99.9 %';
  return `${decimal(value, value < 10 || value > 90 ? 1 : 0)} %`;
}

/** `+12 %`, `−3 %`, `±0 %`, or `×103` of a number compared with an earlier one, which is not zero. */
export function change(value: number, earlier: number): string {
  if (value >= MANY_TIMES * earlier) return `×${count(Math.round(value / earlier))}`;
  const rounded = Math.round((value / earlier - 1) * 100);
  return `${rounded > 0 ? '+' : rounded < 0 ? '−' : '±'}${count(Math.abs(rounded))} %`;
}

/** Without trailing zeros. */
function decimal(value: number, digits: number): string {
  return String(Number(value.toFixed(digits)));
}
