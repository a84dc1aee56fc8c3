import type { LayoutDto } from '../../model/types/layout.dto.js';

/** A page without its margins is the room for the text. In points. */
export interface PageSize {
  width: number;
  height: number;
  top: number;
  right: number;
  bottom: number;
  left: number;
}

const POINTS = 72 / 25.4;
/** In millimeters, upright. */
const SIZES: Readonly<Record<Exclude<LayoutDto['paper'], 'custom'>, readonly [width: number, height: number]>> = {
  a4: [210, 297],
  a5: [148, 210],
  letter: [215.9, 279.4],
  legal: [215.9, 355.6],
};
const MARGINS = { top: 92, right: 74, bottom: 80, left: 74 };
/** Narrower, no table has room; in points. */
export const LEAST_TEXT = { width: 150, height: 150 };

export function pageSize(layout: LayoutDto | null | undefined): PageSize {
  if (!layout) return { ...sides(SIZES.a4, false), ...MARGINS };
  const [a4Width, a4Height] = SIZES.a4;
  const paper = layout.paper === 'custom' ? ([layout.width_mm ?? a4Width, layout.height_mm ?? a4Height] as const) : SIZES[layout.paper];
  const margin = (given: number | null, standard: number) => (given === null ? standard : given * POINTS);
  return {
    ...sides(paper, layout.landscape),
    top: margin(layout.margin_top_mm, MARGINS.top),
    right: margin(layout.margin_right_mm, MARGINS.right),
    bottom: margin(layout.margin_bottom_mm, MARGINS.bottom),
    left: margin(layout.margin_left_mm, MARGINS.left),
  };
}

function sides([width, height]: readonly [number, number], isLandscape: boolean): { width: number; height: number } {
  const [short, long] = [Math.min(width, height) * POINTS, Math.max(width, height) * POINTS];
  if (isLandscape) return { width: long, height: short };
  return { width: width * POINTS, height: height * POINTS };
}

/** The room for the text. */
export function textSize({ width, height, top, right, bottom, left }: PageSize): { width: number; height: number } {
  return { width: width - left - right, height: height - top - bottom };
}
