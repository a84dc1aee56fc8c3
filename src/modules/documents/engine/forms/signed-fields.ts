import { PDFDict, PDFName, type PDFDocument } from '@cantoo/pdf-lib';
import { widgetsOf } from './widgets.js';
import { onFile } from '../reading/file-fault.js';
import { permitsOnlyFilling } from '../signatures/restrictions.js';
import { isSigned } from '../signatures/signatures.js';
import { fieldOf } from '../updates/pdf-objects.js';
import { widgetAt, type Place } from './filled-form.js';
import { shownPage } from '../stamping/page-box.js';

/** The names of the signature fields at places that parties signed, in a file of which only form fields may change. */
export function signedFields(document: PDFDocument, places: readonly Place[]): Promise<string[]> {
  return onFile(() => {
    if (places.length === 0 || !isSigned(document) || !permitsOnlyFilling(document)) return [];
    const widgets = widgetsOf(document);
    const found = places.flatMap((place) => {
      const shown = shownPage(document.getPage(place.page - 1));
      const widget = shown ? widgetAt(widgets, shown, place) : undefined;
      const isOpen = widget?.kind === 'signature' && !(fieldOf(widget.dict).lookup(PDFName.of('V')) instanceof PDFDict);
      return isOpen ? [widget.name] : [];
    });
    return [...new Set(found)];
  });
}
