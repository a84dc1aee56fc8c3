import { PDFArray, PDFDict, PDFName, PDFStream, type PDFDocument, type PDFObject } from '@cantoo/pdf-lib';

const name = (text: string) => PDFName.of(text);

/**
 * What in a file forbids to print on its pages: the signature of an author who certifies it (ISO 32000-1, 12.8.2.2), whatever other
 * changes it permits, or a signature that locks fields (12.8.2.4). Null if nothing does. Other signatures forbid nothing.
 */
export function restrictionOf({ catalog, context }: PDFDocument): 'certified' | 'locked' | null {
  const permissions = context.lookup(catalog.get(name('Perms')));
  if (permissions instanceof PDFDict && isDict(permissions.lookup(name('DocMDP')))) return 'certified';
  let isLocked = false;
  for (const [, object] of context.enumerateIndirectObjects()) {
    if (!isDict(object)) continue;
    const value = object.lookup(name('V'));
    const methods = [object, value].flatMap((signature) => (isDict(signature) ? methodsOf(signature) : []));
    if (methods.includes(name('DocMDP'))) return 'certified';
    const hasLock = object.lookup(name('FT')) === name('Sig') && isDict(value) && isDict(object.lookup(name('Lock')));
    isLocked ||= hasLock || methods.includes(name('FieldMDP'));
  }
  return isLocked ? 'locked' : null;
}

/** Whether it has a form in XML. Viewers that know such forms show other contents than those that do not. */
export function hasXfa({ catalog, context }: PDFDocument): boolean {
  const form = catalog.lookup(name('AcroForm'));
  const xfa = form instanceof PDFDict ? context.lookup(form.get(name('XFA'))) : undefined;
  return xfa instanceof PDFStream || (xfa instanceof PDFArray && xfa.size() > 0);
}

function methodsOf(signature: PDFDict): (PDFObject | undefined)[] {
  const references = signature.lookup(name('Reference'));
  if (!(references instanceof PDFArray)) return [];
  return references.asArray().map((one) => {
    const reference = signature.context.lookup(one);
    return isDict(reference) ? reference.lookup(name('TransformMethod')) : undefined;
  });
}

function isDict(object: PDFObject | undefined): object is PDFDict {
  return object instanceof PDFDict && !(object instanceof PDFStream);
}
