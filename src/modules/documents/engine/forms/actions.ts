import { PDFArray, PDFDict, PDFName, PDFStream, type PDFDocument, type PDFObject } from '@cantoo/pdf-lib';
import { itemsOf } from '../updates/pdf-objects.js';

const name = (text: string) => PDFName.of(text);

/** Actions that can change what a file shows (ISO 32000-1, 12.6.4). */
const CHANGING = ['JavaScript', 'SubmitForm', 'ResetForm', 'ImportData', 'Hide', 'SetOCGState'].map(name);
/** An action names the next ones; more is a cycle. */
const DEEPEST = 16;

/** Removes the actions that can change what a file shows. Returns whether it had any. */
export function removeChangingActions({ context, catalog }: PDFDocument): boolean {
  const hadAny = context
    .enumerateIndirectObjects()
    .map(([, object]) => removeFrom(object))
    .includes(true);
  const lists = catalog.lookup(name('Names'));
  if (!(lists instanceof PDFDict) || !lists.has(name('JavaScript'))) return hadAny;
  lists.delete(name('JavaScript'));
  return true;
}

/** From an object and what it contains directly. */
function removeFrom(object: PDFObject | undefined): boolean {
  if (object instanceof PDFArray) return object.asArray().map(removeFrom).includes(true);
  const dict = object instanceof PDFStream ? object.dict : object;
  if (!(dict instanceof PDFDict)) return false;
  let isChanged = false;
  for (const key of ['A', 'OpenAction'].map(name)) {
    if (!isChanging(dict.lookup(key))) continue;
    dict.delete(key);
    isChanged = true;
  }
  const triggers = dict.lookup(name('AA'));
  if (triggers instanceof PDFDict && triggers.keys().some((key) => isChanging(triggers.lookup(key)))) {
    const kept = triggers.clone(dict.context);
    for (const key of triggers.keys()) if (isChanging(triggers.lookup(key))) kept.delete(key);
    dict.set(name('AA'), kept);
    isChanged = true;
  }
  return dict.values().map(removeFrom).includes(true) || isChanged;
}

function isChanging(action: PDFObject | undefined, depth = 0): boolean {
  if (!(action instanceof PDFDict)) return false;
  if (depth > DEEPEST || CHANGING.some((type) => action.lookup(name('S')) === type)) return true;
  const next = action.lookup(name('Next'));
  return (next instanceof PDFArray ? itemsOf(next) : [next]).some((one) => isChanging(one, depth + 1));
}
