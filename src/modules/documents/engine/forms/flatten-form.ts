import { PDFDict, PDFName, type PDFDocument, type PDFObject, type PDFRef } from '@cantoo/pdf-lib';
import { FileFault, onFile } from '../reading/file-fault.js';
import { isLocked, locksOf, permitsOnlyFilling } from '../signatures/restrictions.js';
import { isSigned } from '../signatures/signatures.js';
import { matrixOf, shownPage, turnedBy, type ShownPage } from '../stamping/page-box.js';
import { drawOver } from '../stamping/page-drawing.js';
import { overlay, type Stamp } from '../stamping/stamp-pdf.js';
import { TagTree } from '../tags/tag-tree.js';
import { openForUpdate, updated } from '../updates/file-update.js';
import { removeChangingActions } from './actions.js';
import { defaultsOf, drawnAppearance, emptyAppearance, ownAppearance, valueStamps, type FormDefaults } from './appearance.js';
import { placeOf } from './form-fields.js';
import { fieldOf, numberIn } from '../updates/pdf-objects.js';
import { boxOf, widgetsOf, type Widget } from './widgets.js';

const PRINT = 1 << 2;
const NO_BOX = { x: 0, y: 0, width: 1, height: 1 };
const name = (text: string) => PDFName.of(text);

/**
 * Draws the form fields of a file on its pages, as they are, and removes the form with all actions that could change what is shown, as an
 * incremental update. Fields in `cleared` leave only their background and frame behind: their values are printed later. A file without any
 * of that stays as it is, and so does the form of a signed file, except that the values in `cleared` are removed. Rejects with FileFault
 * if the file cannot be changed.
 */
export async function flattenForm(pdf: Buffer, cleared: ReadonlySet<string>, language: string): Promise<Buffer> {
  const document = await onFile(() => openForUpdate(pdf));
  return (await flatten(document, cleared, language)) ? onFile(() => updated(document)) : pdf;
}

/** The same with a file that is open for changes. Returns whether there were any. */
export async function flatten(document: PDFDocument, cleared: ReadonlySet<string>, language: string): Promise<boolean> {
  const { pages, defaults, hasForm } = await onFile(() => {
    const form = document.catalog.lookup(name('AcroForm'));
    const widgets = widgetsOf(document);
    return {
      pages: Map.groupBy(widgets, ({ pageNumber }) => pageNumber),
      defaults: defaultsOf(form instanceof PDFDict ? form : document.context.obj({}), document.context),
      hasForm: form !== undefined || widgets.length > 0,
    };
  });
  if (await onFile(() => isSigned(document))) return onFile(() => clearOnly(document, [...pages.values()].flat(), cleared, defaults));
  const prepared = await onFile(() => [...pages].map(([number, widgets]) => new FlatPage(document, number, widgets, cleared, defaults)));
  const layers = prepared.flatMap((page) => [...page.layers.values()]);
  const values = layers.length > 0 ? overlay(layers, language) : null;
  return onFile(async () => {
    const overlays = values ? await document.embedPdf(values, [...layers.keys()]) : [];
    const tags = TagTree.of(document);
    for (const page of prepared) page.draw((layer) => overlays[layers.indexOf(layer)].ref, tags);
    if (hasForm) document.catalog.delete(name('AcroForm'));
    const isChanged = [removeChangingActions(document), removeUsageRights(document)].includes(true);
    return hasForm || isChanged;
  });
}

/** Usage rights of Adobe Reader are a signature: after a change, it warns of them. Returns whether the file had any. */
function removeUsageRights({ catalog, context }: PDFDocument): boolean {
  const permissions = catalog.lookup(name('Perms'));
  if (!(permissions instanceof PDFDict) || !['UR', 'UR3'].some((key) => permissions.has(name(key)))) return false;
  const others = permissions.clone(context);
  for (const key of ['UR', 'UR3']) others.delete(name(key));
  catalog.set(name('Perms'), others);
  return true;
}

/** In a signed file, of which only the values of form fields may change. Returns whether any did. */
function clearOnly(document: PDFDocument, widgets: readonly Widget[], cleared: ReadonlySet<string>, defaults: FormDefaults): boolean {
  const locks = locksOf(document);
  const found = widgets.filter(({ name: field }) => cleared.has(field));
  if (found.length === 0) return false;
  const { context } = document;
  const keepsFields = permitsOnlyFilling(document);
  for (const widget of found) {
    const { dict, kind, name: field } = widget;
    if (isLocked(locks, field)) throw new FileFault('A signature locks a form field that a party fills in.');
    // it is signed later
    if (keepsFields && kind === 'signature') continue;
    fieldOf(dict).delete(name('V'));
    if (keepsFields && (kind === 'checkbox' || kind === 'choice')) dict.set(name('AS'), name('Off'));
    else dict.set(name('AP'), context.obj({ N: emptyAppearance(widget, boxOf(dict) ?? NO_BOX, defaults).form }));
  }
  return true;
}

/** A page with what its form fields show. */
class FlatPage {
  /** Values to print, by the angle by which a page must be turned for them to be upright. */
  readonly layers = new Map<number, Layer>();
  private readonly shown: ShownPage;
  private readonly drawings: Drawing[] = [];

  constructor(
    private readonly document: PDFDocument,
    number: number,
    private readonly widgets: readonly Widget[],
    cleared: ReadonlySet<string>,
    defaults: FormDefaults,
  ) {
    const page = document.getPage(number - 1);
    const shown = shownPage(page);
    if (!shown) throw new FileFault('A page has no area.');
    this.shown = shown;
    for (const widget of widgets) if (widget.isShown && isDrawn(widget)) this.add(widget, defaults, cleared.has(widget.name));
  }

  private add(widget: Widget, defaults: FormDefaults, isEmpty: boolean): void {
    const box = boxOf(widget.dict);
    if (!box) return;
    const own = isEmpty ? emptyAppearance(widget, box, defaults) : ownAppearance(widget, box, defaults);
    if (own) {
      this.drawings.push({ widget, form: own.form, operators: `q ${own.matrix} cm` });
      return;
    }
    const layer = this.layerFor(widget.dict);
    const place = placeOf(widget.dict, layer.shown);
    if (!place) return;
    const size = { width: place.w * layer.width, height: place.h * layer.height };
    const stamps = valueStamps(widget, { page: widget.pageNumber, ...place }, size, defaults);
    if (stamps.length > 0) this.layers.set(layer.shown.turn, { ...layer, stamps: [...layer.stamps, ...stamps] });
    const operators = drawnAppearance(widget, box);
    if (operators !== '') this.drawings.push({ widget, form: null, operators });
  }

  private layerFor(widget: PDFDict): Layer {
    const look = widget.lookup(name('MK'));
    const shown = turnedBy(this.shown.box, look instanceof PDFDict ? numberIn(look, 'R') : 0);
    return this.layers.get(shown.turn) ?? { shown, width: shown.width, height: shown.height, stamps: [] };
  }

  draw(formOf: (layer: Layer) => PDFRef, tags: TagTree | null): void {
    const page = this.document.getPage(this.widgets[0].pageNumber - 1);
    const layers = [...this.layers.values()];
    const forms = [...this.drawings.flatMap(({ form }) => (form ? [form] : [])), ...layers.map(formOf)];
    const keyOf = ({ dict }: Widget) => numberIn(dict, 'StructParent', -1);
    const marks = tags?.annotationsToContent(page, this.widgets.map(keyOf)) ?? null;
    const texts = layers.flatMap(({ stamps }) => stamps.map(({ text }) => text));
    const mark = layers.length > 0 && tags ? tags.addContent(page, 'P', texts.join(', ')) : null;
    const marked = (content: string, mcid: number | null | undefined) =>
      tags ? `${typeof mcid === 'number' ? `/Form <</MCID ${mcid}>> BDC` : '/Artifact BMC'}\n${content}\nEMC` : content;
    if (forms.length + this.drawings.length > 0)
      drawOver(page, forms, this.shown, (names) => {
        const own = this.drawings.map(({ widget, form, operators }) =>
          marked(form ? `${operators} ${names[forms.indexOf(form)]} Do Q` : operators, marks?.get(keyOf(widget))),
        );
        const printed = layers.map(({ shown }, index) => `q ${matrixOf(shown).join(' ')} cm ${names.at(index - layers.length)} Do Q`);
        return [...own, ...(printed.length > 0 ? [marked(printed.join(' '), mark)] : [])].join('\n');
      });
    const entries = new Set<PDFObject>(this.widgets.map(({ entry }) => entry));
    const others =
      page.node
        .Annots()
        ?.asArray()
        .filter((entry) => !entries.has(entry)) ?? [];
    page.node.set(name('Annots'), this.document.context.obj(others));
  }
}

interface Layer {
  shown: ShownPage;
  width: number;
  height: number;
  stamps: readonly Stamp[];
}

interface Drawing {
  widget: Widget;
  /** Drawn behind `operators`; null if they draw themselves. */
  form: PDFRef | null;
  operators: string;
}

/** Buttons that are not printed are no content: they send, print or clear the form. */
function isDrawn({ kind, dict }: Widget): boolean {
  return kind !== 'button' || (numberIn(dict, 'F') & PRINT) !== 0;
}
