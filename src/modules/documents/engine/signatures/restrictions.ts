import { PDFArray, PDFDict, PDFName, PDFNumber, PDFStream, type PDFDocument, type PDFObject } from '@cantoo/pdf-lib';
import { fieldOf, itemsOf, textOf } from '../updates/pdf-objects.js';
import { signedFieldsOf } from './signatures.js';

const name = (text: string) => PDFName.of(text);

/** What an author who certifies a file permits (ISO 32000-1, 12.8.2.2): nothing, filling in and signing, or annotations as well. */
const [NOTHING, FILL_IN, ANNOTATE] = [1, 2, 3];

/** Why signatures in a file forbid those that would be added to it; null if they do not. Signatures that lock nothing forbid nothing. */
export function restrictionOf(document: PDFDocument): string | null {
  if (permissionIn(document) < FILL_IN)
    return 'is certified by its author, who permits no changes (DocMDP /P 1); upload the file without its certification';
  if (locksOf(document) === 'all')
    return 'has a signature that locks all its form fields, so it cannot be signed; upload the file without that signature';
  return null;
}

/** Whether its author permits to fill in and sign form fields, and nothing else (DocMDP /P 2). */
export function permitsOnlyFilling(document: PDFDocument): boolean {
  return permissionIn(document) === FILL_IN;
}

/** The least that a certification permits; what is not known permits nothing. */
function permissionIn(document: PDFDocument): number {
  const { catalog, context } = document;
  const permissions = catalog.lookup(name('Perms'));
  const certifying = permissions instanceof PDFDict ? permissions.lookup(name('DocMDP')) : undefined;
  const values = [certifying, ...context.enumerateIndirectObjects().map(([, object]) => object)];
  const given = values.flatMap((value) =>
    referencesOf(value)
      .filter((reference) => reference.lookup(name('TransformMethod')) === name('DocMDP'))
      .map((reference) => permissionOf(reference.lookup(name('TransformParams')), FILL_IN)),
  );
  const locks = signedFieldsOf(document).map(({ field }) => permissionOf(fieldOf(field).lookup(name('Lock')), ANNOTATE));
  return Math.min(ANNOTATE, ...(isDict(certifying) && given.length === 0 ? [FILL_IN] : []), ...given, ...locks);
}

function permissionOf(parameters: PDFObject | undefined, otherwise: number): number {
  const permission = isDict(parameters) ? parameters.lookup(name('P')) : undefined;
  if (permission === undefined) return otherwise;
  return permission instanceof PDFNumber && [NOTHING, FILL_IN, ANNOTATE].includes(permission.asNumber()) ? permission.asNumber() : NOTHING;
}

/** The names of the form fields that signatures lock (12.8.2.4); `all` if they name only those that they do not lock. */
export function locksOf(document: PDFDocument): ReadonlySet<string> | 'all' {
  const locked = new Set<string>();
  for (const { field, value } of signedFieldsOf(document)) {
    const references = [...referencesOf(field), ...referencesOf(value)];
    const parameters = references
      .filter((reference) => reference.lookup(name('TransformMethod')) === name('FieldMDP'))
      .map((reference) => reference.lookup(name('TransformParams')));
    const ownLock = fieldOf(field).lookup(name('Lock'));
    for (const lock of ownLock ? [...parameters, ownLock] : parameters) {
      if (!isDict(lock) || lock.lookup(name('Action')) !== name('Include')) return 'all';
      const fields = lock.lookup(name('Fields'));
      for (const one of fields instanceof PDFArray ? itemsOf(fields) : []) locked.add(textOf(one) ?? '');
    }
  }
  return locked;
}

/** Whether a lock names a field or a group that contains it. */
export function isLocked(locks: ReadonlySet<string> | 'all', field: string): boolean {
  return locks === 'all' || field.split('.').some((_, index, parts) => locks.has(parts.slice(0, index + 1).join('.')));
}

/** Whether it has a form in XML. Viewers that know such forms show other contents than those that do not. */
export function hasXfa({ catalog, context }: PDFDocument): boolean {
  const form = catalog.lookup(name('AcroForm'));
  const xfa = form instanceof PDFDict ? context.lookup(form.get(name('XFA'))) : undefined;
  return xfa instanceof PDFStream || (xfa instanceof PDFArray && xfa.size() > 0);
}

function referencesOf(signature: PDFObject | undefined): PDFDict[] {
  const references = isDict(signature) ? signature.lookup(name('Reference')) : undefined;
  return references instanceof PDFArray ? itemsOf(references).filter(isDict) : [];
}

function isDict(object: PDFObject | undefined): object is PDFDict {
  return object instanceof PDFDict && !(object instanceof PDFStream);
}
