import { PDFArray, PDFDict, PDFName, PDFNumber, PDFRef, type PDFDocument, type PDFObject } from '@cantoo/pdf-lib';

const name = (text: string) => PDFName.of(text);

/**
 * Whether the tree of pages (ISO 32000-1, 7.7.3) is as it must be. Viewers repair a tree with a wrong `Count`, `Parent` or `Type`, each in
 * its way, so that they can show other pages than those that are signed.
 */
export function isPageTreeSound({ catalog, context }: PDFDocument): boolean {
  const seen = new Set<PDFObject>();
  /** The number of pages below a node; null if something is wrong. */
  const count = (ref: PDFObject | undefined, parent: PDFRef | null): number | null => {
    if (!(ref instanceof PDFRef) || seen.has(ref)) return null;
    seen.add(ref);
    const node = context.lookup(ref);
    if (!(node instanceof PDFDict) || (parent && node.get(name('Parent')) !== parent)) return null;
    const type = node.lookup(name('Type'));
    if (type === name('Page')) return parent && 1;
    const kids = node.lookup(name('Kids'));
    if (type !== name('Pages') || !(kids instanceof PDFArray)) return null;
    let sum = 0;
    for (const kid of kids.asArray()) {
      const pages = count(kid, ref);
      if (pages === null) return null;
      sum += pages;
    }
    const stated = node.lookup(name('Count'));
    return stated instanceof PDFNumber && stated.asNumber() === sum ? sum : null;
  };
  return count(catalog.get(name('Pages')), null) !== null;
}
