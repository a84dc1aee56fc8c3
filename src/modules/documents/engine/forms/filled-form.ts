import { PDFArray, PDFDict, PDFHexString, PDFName, type PDFDocument, type PDFPage, type PDFRef } from '@cantoo/pdf-lib';
import { placeOf } from './form-fields.js';
import { defaultsOf, emptyAppearance, type FormDefaults } from './appearance.js';
import { boxOf, statesOf, widgetsOf, type Widget } from './widgets.js';
import { FileFault } from '../reading/file-fault.js';
import { isLocked, locksOf, permitsOnlyFilling } from '../signatures/restrictions.js';
import { fieldOf, itemsOf } from '../updates/pdf-objects.js';
import { appearance } from '../stamping/annotations.js';
import { matrixOf, type ShownPage } from '../stamping/page-box.js';
import type { FormToFill, Stamp } from '../stamping/stamp-pdf.js';

const name = (text: string) => PDFName.of(text);

export type Place = Pick<Stamp, 'page' | 'x' | 'y' | 'w' | 'h'>;

/** The form field in which the middle of a place lies. */
export function widgetAt(widgets: readonly Widget[], shown: ShownPage, { page, x, y, w, h }: Place): Widget | undefined {
  const [u, v] = [x + w / 2, y + h / 2];
  return widgets.find(({ dict, pageNumber, isShown }) => {
    const box = pageNumber === page && isShown ? placeOf(dict, shown) : null;
    return box !== null && u > box.x && u < box.x + box.w && v > box.y && v < box.y + box.h;
  });
}

/** The form of a file in which nothing but the values of form fields may change; null for others. */
export function formToFill(document: PDFDocument): FormToFill | null {
  return permitsOnlyFilling(document) ? new FilledForm(document) : null;
}

class FilledForm implements FormToFill {
  private readonly widgets: readonly Widget[];
  private readonly locks: ReadonlySet<string> | 'all';
  private readonly defaults: FormDefaults;

  constructor(document: PDFDocument) {
    const { catalog, context } = document;
    this.widgets = widgetsOf(document);
    this.defaults = defaultsOf(catalog.lookupMaybe(name('AcroForm'), PDFDict) ?? context.obj({}), context);
    this.locks = locksOf(document);
  }

  /** Makes stamps the values of the form fields in which they stand. `overlay` is as large as the page, with all of them. */
  fill(page: PDFPage, shown: ShownPage, stamps: readonly Stamp[], overlay: PDFRef): void {
    const filled = Map.groupBy(stamps, (stamp) => widgetAt(this.widgets, shown, stamp));
    for (const [widget, values] of filled) {
      if (!widget) throw new FileFault('The author of the file permits only to fill in its form fields.');
      if (isLocked(this.locks, widget.name)) throw new FileFault('A signature locks a form field that a party fills in.');
      if (widget.kind === 'checkbox' || widget.kind === 'choice') select(widget);
      else this.write(widget, page, shown, values, overlay);
    }
  }

  /** A signature field has no value until it is signed digitally. */
  private write(widget: Widget, page: PDFPage, shown: ShownPage, stamps: readonly Stamp[], overlay: PDFRef): void {
    const { dict, kind } = widget;
    const [place, own] = [placeOf(dict, shown), boxOf(dict)];
    if (!place || !own) throw new FileFault('A form field has no area.');
    const [width, height] = [place.w * shown.width, place.h * shown.height];
    const box = { x: place.x * shown.width, y: (1 - place.y - place.h) * shown.height, width, height };
    const { form, matrix } = emptyAppearance(widget, own, this.defaults);
    const [a, b, c, d, e, f] = matrixOf(shown);
    const toShown = [a, c, b, d, -(a * e + b * f), -(c * e + d * f)].join(' ');
    const operators = `q 1 0 0 1 ${-box.x} ${-box.y} cm q ${toShown} cm ${matrix} cm /Field Do Q /Page Do Q`;
    const forms = { Page: overlay, Field: form };
    dict.set(name('AP'), page.doc.context.obj({ N: appearance(page, shown, { box, operators, forms }) }));
    if (kind !== 'signature') fieldOf(dict).set(name('V'), PDFHexString.fromText(stamps.map(({ text }) => text).join(', ')));
  }
}

function select({ dict }: Widget): void {
  const [state] = statesOf(dict);
  if (state === undefined) throw new FileFault('A checkbox has no appearance.');
  const field = fieldOf(dict);
  const kids = field.lookup(name('Kids'));
  for (const kid of kids instanceof PDFArray ? itemsOf(kids) : []) if (kid instanceof PDFDict) kid.set(name('AS'), name('Off'));
  field.set(name('V'), name(state));
  dict.set(name('AS'), name(state));
}
