import { PDFArray, PDFDict, PDFName, PDFStream, type PDFDocument, type PDFObject } from '@cantoo/pdf-lib';
import { untracked } from '../updates/file-update.js';
import { itemsOf } from '../updates/pdf-objects.js';

const name = (text: string) => PDFName.of(text);

/** Actions that can change what a file shows (ISO 32000-1, 12.6.4). */
const CHANGING = ['JavaScript', 'SubmitForm', 'ResetForm', 'ImportData', 'Hide', 'SetOCGState'].map(name);
/** An action names the next ones; more is a cycle. */
const DEEPEST = 16;

/** Removes the actions that can change what a file shows. Returns whether it had any. */
export function removeChangingActions({ context, catalog }: PDFDocument): boolean {
  return untracked(context, (changed) => {
    let hadAny = false;
    for (const [ref, object] of context.enumerateIndirectObjects()) {
      if (!removeFrom(object)) continue;
      changed(ref);
      hadAny = true;
    }
    const names = catalog.get(name('Names'));
    const lists = context.lookup(names);
    if (!(lists instanceof PDFDict) || !lists.has(name('JavaScript'))) return hadAny;
    const others = lists.clone(context);
    others.delete(name('JavaScript'));
    catalog.set(name('Names'), others);
    if (context.trailerInfo.Root) changed(context.trailerInfo.Root as Parameters<typeof changed>[0]);
    return true;
  });
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
