import { PDFArray, PDFName, PDFNumber, type PDFPage } from '@cantoo/pdf-lib';

export interface Box {
  x: number;
  y: number;
  width: number;
  height: number;
}

/** A page as viewers show it. */
export interface ShownPage {
  /** Its visible part, in the coordinates of its contents. */
  box: Box;
  /** In degrees, clockwise. */
  turn: 0 | 90 | 180 | 270;
  /** Turned. */
  width: number;
  height: number;
}

/** Null for a page without an area. Viewers ignore a rotation that is no multiple of 90. */
export function shownPage(page: PDFPage): ShownPage | null {
  const box = visibleBox(page);
  if (!box) return null;
  const rotation = page.node.context.lookup(page.node.getInheritableAttribute(PDFName.of('Rotate')));
  return turnedBy(box, rotation instanceof PDFNumber ? rotation.asNumber() : 0);
}

/** A page as it would be shown if it were turned by an angle. */
export function turnedBy(box: Box, degrees: number): ShownPage {
  const angle = ((degrees % 360) + 360) % 360;
  const turn = angle === 90 || angle === 180 || angle === 270 ? angle : 0;
  const isOnItsSide = turn === 90 || turn === 270;
  return { box, turn, width: isOnItsSide ? box.height : box.width, height: isOnItsSide ? box.width : box.height };
}

/** The matrix that draws something as large as the shown page onto it, from its lower left corner. */
export function matrixOf({ box: { x, y, width, height }, turn }: ShownPage): readonly number[] {
  if (turn === 90) return [0, 1, -1, 0, x + width, y];
  if (turn === 180) return [-1, 0, 0, -1, x + width, y + height];
  if (turn === 270) return [0, -1, 1, 0, x, y + height];
  return [1, 0, 0, 1, x, y];
}

/** A point of the contents of a page as a fraction of the shown page, from its top left corner. */
export function onShown({ box, turn }: ShownPage, x: number, y: number): { x: number; y: number } {
  const [u, v] = [(x - box.x) / box.width, (y - box.y) / box.height];
  if (turn === 90) return { x: v, y: u };
  if (turn === 180) return { x: 1 - u, y: v };
  if (turn === 270) return { x: 1 - v, y: 1 - u };
  return { x: u, y: 1 - v };
}

/**
 * The part of a page that viewers show: its CropBox as far as it lies in its MediaBox. A CropBox outside of it, without an area or of a
 * wrong type counts as none, as in pdf.js. Null for a page without an area.
 */
function visibleBox(page: PDFPage): Box | null {
  const media = boxOf(page, 'MediaBox');
  if (!media) return null;
  const crop = boxOf(page, 'CropBox') ?? media;
  const [x, y] = [Math.max(media.x, crop.x), Math.max(media.y, crop.y)];
  const width = Math.min(media.x + media.width, crop.x + crop.width) - x;
  const height = Math.min(media.y + media.height, crop.y + crop.height) - y;
  return width > 0 && height > 0 ? { x, y, width, height } : media;
}

function boxOf({ node }: PDFPage, name: 'MediaBox' | 'CropBox'): Box | null {
  const box = node.context.lookup(node.getInheritableAttribute(PDFName.of(name)));
  if (!(box instanceof PDFArray) || box.size() !== 4) return null;
  const corners = [0, 1, 2, 3].map((index) => box.lookup(index));
  if (!corners.every((corner) => corner instanceof PDFNumber)) return null;
  const rectangle = box.asRectangle();
  return rectangle.width > 0 && rectangle.height > 0 ? rectangle : null;
}
