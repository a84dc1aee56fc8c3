import { PDFArray, PDFName, PDFNumber, type PDFPage } from '@cantoo/pdf-lib';

export interface Box {
  x: number;
  y: number;
  width: number;
  height: number;
}

/**
 * The part of a page that viewers show: its CropBox as far as it lies in its MediaBox. A CropBox outside of it, without an area or of a
 * wrong type counts as none, as in pdf.js. Null for a page without an area.
 */
export function visibleBox(page: PDFPage): Box | null {
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
