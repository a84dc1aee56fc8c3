import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { NodeCompiler } from '@myriaddreamin/typst-ts-node-compiler';
import { fontFiles, fontNames } from './fonts.js';

/** The templates; they read no file but the ones that a call passes, and no document can name another. */
const TEMPLATES = fileURLToPath(new URL('./templates', import.meta.url));
/** Archives accept it (ISO 19005-3), with tags for screen readers. */
const STANDARD = 'a-3a';
/** Of what becomes part of a file that may be PDF/A-1, which knows no later color profiles. */
const OF_PARTS = '1.4';

const SUSPECTS = '/Suspects false';

export type Template = 'document' | 'certificate' | 'stamps';

/** What a template is given. */
export interface TemplateInput {
  /** BCP 47; decides which of the fonts a character is taken from. */
  language: string;
  /** The data of the template, as JSON. */
  data: object;
  /** Images by the path that the data names, for example `/logo.png`. */
  files?: Readonly<Record<string, Uint8Array>>;
  /** Pages and overlays that become part of another file follow no standard of their own. */
  part?: 'pages' | 'overlay';
}

let compiler: NodeCompiler | undefined;

/** Typesets a template. The same input gives the same bytes. One call at a time, because the compiler is synchronous. */
export function typeset(template: Template, { language, data, files = {}, part }: TemplateInput): { pdf: Buffer; marks: unknown[] } {
  compiler ??= NodeCompiler.create({ workspace: TEMPLATES, fontArgs: [{ fontPaths: fontFiles() }] });
  const given = { ...files, '/input.json': Buffer.from(JSON.stringify({ ...data, fonts: fontNames(language) })) };
  for (const [path, content] of Object.entries(given)) compiler.mapShadow(join(TEMPLATES, path), Buffer.from(content));
  try {
    const main = { mainFilePath: join(TEMPLATES, `${template}.typ`) };
    const { result, ...outcome } = compiledBy(compiler, main);
    if (result === null) throw new Error(`The ${template} cannot be typeset: ${outcome.problems}`);
    const pdf = withoutSuspects(
      compiler.pdf(result, { pdfStandard: part ? OF_PARTS : STANDARD, ...(part === 'overlay' ? { pdfTags: false } : {}) }),
    );
    const marks = compiler.query(result, { selector: '<mark>', field: 'value' }) as unknown[];
    return { pdf, marks };
  } finally {
    for (const path of Object.keys(given)) compiler.unmapShadow(join(TEMPLATES, path));
    // results of this document are of no use to the next
    compiler.evictCache(0);
  }
}

/** Poppler 22 calls `/Suspects false`, which is the default, an error. Blanks in its place keep all offsets. */
function withoutSuspects(pdf: Buffer): Buffer {
  const at = pdf.lastIndexOf(SUSPECTS);
  return at === -1 ? pdf : pdf.fill(' ', at, at + SUSPECTS.length);
}

function compiledBy(one: NodeCompiler, main: { mainFilePath: string }) {
  const compiled = one.compile(main);
  const error = compiled.takeError();
  return { result: compiled.result, problems: error && JSON.stringify(error.shortDiagnostics) };
}
