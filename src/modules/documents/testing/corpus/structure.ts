import { PDFArray, PDFDict, PDFDocument, PDFName, PDFNumber, PDFRawStream, type PDFObject } from '@cantoo/pdf-lib';
import { itemsOf, textOf } from '../../engine/updates/pdf-objects.js';

const name = (text: string) => PDFName.of(text);
const DEEPEST = 64;

/** What a file has besides the contents of its pages, as texts that are compared. */
export interface Structure {
  /** The same before and after. */
  kept: Record<string, unknown>;
  /** How many elements of each kind its tags have, which stamps add to. */
  tags: Record<string, number>;
}

export async function structureOf(pdf: Uint8Array): Promise<Structure> {
  const document = await PDFDocument.load(pdf, { updateMetadata: false });
  const { catalog, context } = document;
  const annotations = document.getPages().map((page) => (page.node.Annots() ? itemsOf(page.node.Annots() as PDFArray) : []).filter(isDict));
  const layers = catalog.lookup(name('OCProperties'));
  const metadata = catalog.lookup(name('Metadata'));
  return {
    kept: {
      outline: outlineOf(catalog.lookup(name('Outlines'))),
      attachments: leavesOf(namesOf(catalog, 'EmbeddedFiles'), 'Names'),
      destinations: leavesOf(namesOf(catalog, 'Dests'), 'Names'),
      labels: catalog.lookup(name('PageLabels'))?.toString() ?? null,
      layers: layers instanceof PDFDict ? itemsOf(layers.lookup(name('OCGs'), PDFArray)).map((layer) => entry(layer, 'Name')) : [],
      hidden: layers instanceof PDFDict ? (layers.lookup(name('D')) as PDFDict).lookup(name('OFF'))?.toString() : null,
      annotations: annotations.map((page) =>
        page
          .filter((one) => !['Widget', 'Stamp', 'FileAttachment'].includes(entry(one, 'Subtype')))
          .map((one) => `${entry(one, 'Subtype')} ${one.lookup(name('Rect'))?.toString()} ${entry(one, 'Contents')} ${actionOf(one)}`),
      ),
      metadata: metadata instanceof PDFRawStream ? Buffer.from(metadata.contents).toString('base64') : null,
      language: entry(catalog, 'Lang'),
      preferences: catalog.lookup(name('ViewerPreferences'))?.toString() ?? null,
      intents: catalog.lookup(name('OutputIntents'))?.toString() ?? null,
      marked: catalog.lookup(name('MarkInfo'))?.toString() ?? null,
      title: document.getTitle() ?? null,
    },
    tags: tagsOf(context.lookup(catalog.get(name('StructTreeRoot')))),
  };
}

/** What is missing, or different, afterwards. Other pages are appended. */
export function lost(before: Structure, after: Structure): string[] {
  const kept = Object.keys(before.kept).filter((key) => {
    const [one, other] = [before.kept[key], after.kept[key]].map((value) => value as unknown);
    if (key === 'annotations') return JSON.stringify(one) !== JSON.stringify((other as unknown[]).slice(0, (one as unknown[]).length));
    return JSON.stringify(one) !== JSON.stringify(other);
  });
  const roles = Object.keys(before.tags).filter((role) => (after.tags[role] ?? 0) < before.tags[role]);
  return [
    ...kept.map((key) => `${key}: ${JSON.stringify(before.kept[key])}, now ${JSON.stringify(after.kept[key])}`.slice(0, 300)),
    ...roles.map((role) => `tags ${role}: ${before.tags[role]}, now ${after.tags[role] ?? 0}`),
  ];
}

function isDict(object: PDFObject | undefined): object is PDFDict {
  return object instanceof PDFDict;
}

function entry(object: PDFObject | undefined, key: string): string {
  return (isDict(object) && textOf(object.lookup(name(key)))) || '';
}

/** Actions that change what a file shows are removed. */
function actionOf(annotation: PDFDict): string {
  const action = annotation.lookup(name('A'));
  if (isDict(action) && !['URI', 'GoTo', 'GoToR', 'Named'].includes(entry(action, 'S'))) return '';
  return isDict(action) ? `${entry(action, 'S')} ${entry(action, 'URI')}` : String(annotation.lookup(name('Dest')) ?? '');
}

function outlineOf(list: PDFObject | undefined, depth = 0): unknown[] {
  const found: unknown[] = [];
  if (depth > DEEPEST) return found;
  for (let one = isDict(list) ? list.lookup(name('First')) : undefined; isDict(one); one = one.lookup(name('Next')))
    found.push([entry(one, 'Title'), outlineOf(one, depth + 1)]);
  return found;
}

function namesOf(catalog: PDFDict, key: string): PDFObject | undefined {
  const names = catalog.lookup(name('Names'));
  return isDict(names) ? names.lookup(name(key)) : undefined;
}

function leavesOf(tree: PDFObject | undefined, key: string, depth = 0): string[] {
  if (!isDict(tree) || depth > DEEPEST) return [];
  const [own, kids] = [tree.lookup(name(key)), tree.lookup(name('Kids'))];
  const names = own instanceof PDFArray ? itemsOf(own).filter((_, index) => index % 2 === 0) : [];
  return [
    ...names.map((one) => textOf(one) ?? ''),
    ...(kids instanceof PDFArray ? itemsOf(kids).flatMap((kid) => leavesOf(kid, key, depth + 1)) : []),
  ];
}

function tagsOf(tree: PDFObject | undefined): Record<string, number> {
  const count: Record<string, number> = {};
  const seen = new Set<PDFObject>();
  const add = (element: PDFObject | undefined): void => {
    if (element instanceof PDFArray) for (const one of itemsOf(element)) add(one);
    if (!isDict(element) || seen.has(element)) return;
    seen.add(element);
    const role = entry(element, 'S');
    if (role) count[role] = (count[role] ?? 0) + 1;
    const kids = element.lookup(name('K'));
    if (!(kids instanceof PDFNumber)) add(kids);
  };
  add(tree);
  return count;
}
