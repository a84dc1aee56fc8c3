import { encode } from 'uqr';

/** The blank frame that scanners need, in modules (ISO/IEC 18004). */
const BORDER = 4;

/** A QR code: the length of its sides with the blank frame, and the outline of its dark modules as the path of an SVG. */
export interface QrCode {
  size: number;
  path: string;
}

/**
 * A text of up to about 2,000 characters as a QR code.
 *
 * @example
 * ```ts
 * import { html, qrCode } from 'work-suite/kit';
 *
 * const { path, size } = qrCode('https://example.com/trips/7');
 * const picture = html`<svg viewBox="0 0 ${size} ${size}"><path d="${path}"/></svg>`;
 * ```
 */
export function qrCode(text: string): QrCode {
  const { data, size } = encode(text, { ecc: 'M', border: BORDER });
  return { size, path: data.flatMap((row, y) => runsOf(row).map(([x, width]) => `M${x} ${y}h${width}v1h-${width}z`)).join('') };
}

/** The runs of dark modules in a row: start and length. */
function runsOf(row: readonly boolean[]): [x: number, width: number][] {
  const runs: [number, number][] = [];
  row.forEach((isDark, x) => {
    if (isDark && row[x - 1]) runs[runs.length - 1][1]++;
    else if (isDark) runs.push([x, 1]);
  });
  return runs;
}
