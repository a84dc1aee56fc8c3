import {
  PDFArray,
  PDFContentStream,
  PDFDict,
  PDFName,
  PDFNumber,
  PDFRawStream,
  PDFStream,
  type PDFContext,
  type PDFObject,
  type PDFPage,
  type PDFRef,
} from '@cantoo/pdf-lib';
import { FileFault } from '../reading/file-fault.js';
import { decodedContents } from '../updates/pdf-objects.js';
import type { ShownPage } from './page-box.js';
import { balanceOf } from './page-contents.js';

/**
 * Draws over a page, whatever state the contents of the page leave behind. Pages can share their contents and resources, so the page
 * gets lists of its own. `operators` gets the names by which they can draw `forms`.
 */
export function drawOver(
  { node, doc: { context } }: PDFPage,
  forms: readonly PDFRef[],
  shown: ShownPage,
  operators: (names: string[]) => string,
): void {
  const resources = node.Resources()?.clone(context) ?? context.obj({});
  const objects = resources.lookupMaybe(PDFName.of('XObject'), PDFDict)?.clone(context) ?? context.obj({});
  const names = forms.map((form) => {
    const name = objects.uniqueKey('Stamp');
    objects.set(name, form);
    return name.toString();
  });
  resources.set(PDFName.of('XObject'), objects);
  node.set(PDFName.of('Resources'), resources);
  const contents = contentsOf(node.get(PDFName.of('Contents')), context);
  const { repaired, closing } = balanceOf(Buffer.concat(contents.flatMap(({ bytes }) => [bytes, NEW_LINE])));
  const stream = (bytes: Uint8Array | string): PDFRef => context.register(context.flateStream(bytes));
  const old = repaired ? [stream(repaired)] : contents.map(({ ref, bytes, isMeasured }) => (isMeasured ? ref : stream(bytes)));
  const drawing = `\n${closing} Q\n${operators(names)}\n`;
  // viewers do not agree about a CropBox outside of the MediaBox
  const { x, y, width, height } = shown.box;
  node.set(PDFName.of('CropBox'), context.obj([x, y, x + width, y + height]));
  node.set(PDFName.of('Contents'), context.obj([stream('q\n'), ...old, stream(drawing)]));
}

const NEW_LINE = Buffer.from('\n');

/** A stream of the contents of a page. */
interface Part {
  ref: PDFObject;
  /** Decoded. */
  bytes: Uint8Array;
  isMeasured: boolean;
}

/** The streams that make up the contents of a page; viewers ignore entries that are none. */
function contentsOf(contents: PDFObject | undefined, context: PDFContext): Part[] {
  const found = context.lookup(contents);
  const refs = found instanceof PDFArray ? found.asArray() : contents ? [contents] : [];
  return refs.flatMap((ref) => {
    const stream = context.lookup(ref);
    return stream instanceof PDFStream ? [{ ref, bytes: bytesOf(stream), isMeasured: isMeasured(stream) }] : [];
  });
}

/** Whether /Length is that of the stream. With a larger one, some viewers read what follows it as part of the page, others do not. */
function isMeasured(stream: PDFStream): boolean {
  const length = stream.dict.lookup(PDFName.of('Length'));
  return !(stream instanceof PDFRawStream) || (length instanceof PDFNumber && length.asNumber() === stream.getContentsSize());
}

function bytesOf(stream: PDFStream): Uint8Array {
  if (stream instanceof PDFContentStream) return stream.getUnencodedContents();
  if (!(stream instanceof PDFRawStream)) return stream.getContents();
  const entry = stream.dict.lookup(PDFName.of('DecodeParms'));
  const parameters = entry instanceof PDFArray ? entry.asArray().map((one) => stream.dict.context.lookup(one)) : [entry];
  for (const one of parameters)
    if (one instanceof PDFDict && (one.lookupMaybe(PDFName.of('Predictor'), PDFNumber)?.asNumber() ?? 1) > 1)
      throw new FileFault('The contents of a page are compressed as an image.');
  return decodedContents(stream);
}
