import { PDFArray, PDFDict, PDFName, type PDFDocument } from '@cantoo/pdf-lib';
import { itemsOf, numberIn, textOf } from '../updates/pdf-objects.js';

const name = (text: string) => PDFName.of(text);
/** Flags of annotations. */
const HIDDEN = 2;
const PRINTED = 4;
const NOT_SHOWN = 32;

/**
 * Layers that are printed, or shown by some programs, in another state than the one in which pictures of the pages show them. Who signs
 * would not see what others read.
 */
export function unfaithfulLayers({ catalog }: PDFDocument): string[] {
  const properties = dictOf(catalog.lookup(name('OCProperties')));
  const layers = arrayAt(properties, 'OCGs');
  const config = dictOf(properties?.lookup(name('D')));
  if (!layers) return [];
  const [on, off] = [refsAt(config, 'ON'), refsAt(config, 'OFF')];
  const isOffUnlessNamed = config?.lookup(name('BaseState')) === name('OFF');
  const usages = itemsIn(config, 'AS').flatMap((usage) => dictOf(usage) ?? []);
  const printed = new Set(usages.filter(isForPrint).flatMap((usage) => [...refsAt(usage, 'OCGs')]));
  return layers.asArray().flatMap((ref, index) => {
    const layer = dictOf(layers.lookup(index));
    const isOn = isOffUnlessNamed ? on.has(String(ref)) : !off.has(String(ref));
    const isOther = (event: string) => {
      const usage = dictOf(dictOf(layer?.lookup(name('Usage')))?.lookup(name(event)));
      const state = usage?.lookup(name(`${event}State`));
      return state instanceof PDFName && (state === name('ON')) !== isOn;
    };
    const isUnfaithful = isOther('View') || (printed.has(String(ref)) && isOther('Print'));
    return isUnfaithful ? [textOf(layer?.lookup(name('Name'))) ?? 'without a name'] : [];
  });
}

/** Whether a page has an annotation that is printed, but not shown. `isFixed`: its form fields stay as well. */
export function hasPrintedOnly(page: PDFDict, isFixed: boolean): boolean {
  return itemsIn(page, 'Annots').some((item) => {
    const annotation = dictOf(item);
    if (!annotation || (annotation.lookup(name('Subtype')) === name('Widget') && !isFixed)) return false;
    return (numberIn(annotation, 'F') & (HIDDEN | PRINTED | NOT_SHOWN)) === (PRINTED | NOT_SHOWN);
  });
}

/** Whether layers take the states that they have for print when the file is printed. */
function isForPrint(usage: PDFDict): boolean {
  return usage.lookup(name('Event')) === name('Print') && itemsIn(usage, 'Category').includes(name('Print'));
}

function dictOf(object: unknown): PDFDict | undefined {
  return object instanceof PDFDict ? object : undefined;
}

function arrayAt(dict: PDFDict | undefined, key: string): PDFArray | undefined {
  const value = dict?.lookup(name(key));
  return value instanceof PDFArray ? value : undefined;
}

function itemsIn(dict: PDFDict | undefined, key: string): ReturnType<typeof itemsOf> {
  const array = arrayAt(dict, key);
  return array ? itemsOf(array) : [];
}

/** The numbers of the objects that a list names. */
function refsAt(dict: PDFDict | undefined, key: string): Set<string> {
  return new Set(arrayAt(dict, key)?.asArray().map(String));
}
