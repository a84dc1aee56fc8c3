import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { chromium } from 'playwright-core';
import { has, run } from './programs.js';

const HTML = `<!doctype html><html lang="de"><title>Vertrag</title><style>@page { size: A4; margin: 25mm }</style><body><h1>Vertrag</h1>
<p>Text mit <a href="https://example.com">Verweis</a></p><h2>Umfang</h2><ul><li>eins<li>zwei</ul>
<table border><tr><th>A<th>B<tr><td>1<td>2</table>
<form><input name=a value="Wert äöü"><br><textarea name=b>zwei\nZeilen</textarea><br><input type=checkbox checked name=c>
<input type=radio name=d checked><select name=e><option>eins<option selected>zwei</select></form>
${'<p>Die Parteien vereinbaren das Folgende ohne weitere Bedingungen.</p>'.repeat(60)}</body></html>`;

const SPACES = ['office', 'text', 'form', 'drawing:draw', 'svg-compatible:svg']
  .map((one) => one.split(':'))
  .map(([space, prefix = space]) => `xmlns:${prefix}="urn:oasis:names:tc:opendocument:xmlns:${space}:1.0"`)
  .join(' ');
const CONTROLS = `<form:form form:name="F"><form:text form:name="who" form:id="c1" xml:id="c1" form:current-value="Łódź Ελλάδα"
 form:value="Łódź Ελλάδα"/><form:checkbox form:name="ok" form:id="c2" xml:id="c2"
 form:current-state="checked" form:label="OK"/></form:form>`;
const PLACE = (id: string, width: number) =>
  `<draw:control draw:control="${id}" text:anchor-type="as-char" svg:width="${width}cm" svg:height="0.8cm"/>`;
const OFFICE = `<?xml version="1.0"?><office:document ${SPACES}
 office:mimetype="application/vnd.oasis.opendocument.text" office:version="1.2"
><office:body><office:text><office:forms>${CONTROLS}</office:forms>
<text:h text:outline-level="1">Heading</text:h><text:p>Text ${PLACE('c1', 6)}
${PLACE('c2', 2)}</text:p>${'<text:p>A paragraph of the text.</text:p>'.repeat(50)}</office:text></office:body></office:document>`;

/** LibreOffice's options, by the name of the file. */
const OFFICE_FILES: Readonly<Record<string, object>> = {
  'LibreOffice plain': { ExportFormFields: false, UseTaggedPDF: false },
  'LibreOffice tagged': { UseTaggedPDF: true, ExportBookmarks: true, ExportFormFields: false },
  'LibreOffice form': { UseTaggedPDF: true, ExportFormFields: true },
  'LibreOffice PDF-A-1': { SelectPdfVersion: 1 },
  'LibreOffice PDF-A-2': { SelectPdfVersion: 2 },
  'LibreOffice PDF-A-3': { SelectPdfVersion: 3 },
};

/** Files that other programs make, as far as they are installed. `base` has files on which some of them work. */
export async function makeFiles(dir: string, base: Readonly<Record<string, string>>): Promise<Record<string, string>> {
  mkdirSync(dir, { recursive: true });
  const files: Record<string, string> = {};
  const made = (title: string, program: string, args: (path: string) => readonly string[]) => {
    const path = join(dir, `${title.replaceAll(' ', '-')}.pdf`);
    if (!has(program)) return;
    files[title] = path;
    if (existsSync(path)) return;
    const { status, stderr } = run(program, args(path));
    if (!existsSync(path)) throw new Error(`${program} made no file (${status}): ${stderr}`);
  };
  const html = join(dir, 'page.html');
  writeFileSync(html, HTML);
  for (const [title, tagged] of [
    ['Chromium', false],
    ['Chromium tagged', true],
  ] as const)
    Object.assign(files, await printed(dir, title, tagged));
  made('wkhtmltopdf', 'wkhtmltopdf', (path) => ['-q', html, path]);
  made('wkhtmltopdf form', 'wkhtmltopdf', (path) => ['-q', '--enable-forms', html, path]);
  for (const [title, options] of Object.entries(OFFICE_FILES)) Object.assign(files, office(dir, title, options));
  const { structure, form, scan } = base;
  const distilled = (path: string, from: string, ...options: string[]) => [
    ...['-q', '-dBATCH', '-dNOPAUSE', '-sDEVICE=pdfwrite', ...options, '-o', path, from],
  ];
  made('Ghostscript', 'gs', (path) => distilled(path, structure));
  made('Ghostscript 1.3', 'gs', (path) => distilled(path, structure, '-dCompatibilityLevel=1.3'));
  made('Ghostscript of a form', 'gs', (path) => distilled(path, form, '-dCompatibilityLevel=1.7'));
  made('cairo', 'pdftocairo', (path) => ['-pdf', structure, path]);
  made('MuPDF', 'mutool', (path) => ['clean', '-gggg', '-z', structure, path]);
  made('pdfunite', 'pdfunite', (path) => [structure, form, scan, path]);
  made('pdftk', 'pdftk', (path) => [structure, 'cat', '1-2east', 'output', path]);
  const values = join(dir, 'values.fdf');
  writeFileSync(
    values,
    '%FDF-1.2\n1 0 obj<</FDF<</Fields[<</T(person)/Kids[<</T(name)/V(Grace Hopper)>>]>>]>>>>endobj\ntrailer<</Root 1 0 R>>\n%%EOF',
  );
  made('pdftk form', 'pdftk', (path) => [form, 'fill_form', values, 'output', path]);
  made('pdftk form to be drawn anew', 'pdftk', (path) => [form, 'fill_form', values, 'output', path, 'need_appearances']);
  return files;
}

async function printed(dir: string, title: string, tagged: boolean): Promise<Record<string, string>> {
  const executablePath = ['/usr/bin/chromium-headless-shell', '/usr/bin/chromium', '/usr/bin/google-chrome'].find(has);
  if (!executablePath) return {};
  const path = join(dir, `${title.replaceAll(' ', '-')}.pdf`);
  if (existsSync(path)) return { [title]: path };
  const browser = await chromium.launch({ executablePath, args: ['--no-sandbox'] });
  try {
    const page = await browser.newPage();
    await page.setContent(HTML);
    await page.pdf({ path, tagged, outline: tagged, preferCSSPageSize: true });
  } finally {
    await browser.close();
  }
  return { [title]: path };
}

function office(dir: string, title: string, options: object): Record<string, string> {
  if (!has('soffice')) return {};
  const name = title.replaceAll(' ', '-');
  const path = join(dir, `${name}.pdf`);
  if (existsSync(path)) return { [title]: path };
  const source = join(dir, `${name}.fodt`);
  writeFileSync(source, OFFICE);
  const filter = Object.fromEntries(
    Object.entries(options).map(([key, value]) => [key, { type: typeof value === 'number' ? 'long' : 'boolean', value: String(value) }]),
  );
  const profile = `-env:UserInstallation=file://${join(dir, 'profile')}`;
  run('soffice', ['--headless', profile, '--convert-to', `pdf:writer_pdf_Export:${JSON.stringify(filter)}`, '--outdir', dir, source]);
  if (!readFileSync(path).subarray(0, 5).equals(Buffer.from('%PDF-'))) throw new Error(`LibreOffice made no ${title}.`);
  return { [title]: path };
}
