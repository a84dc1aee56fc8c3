import { CommonErrors, FileResponse, type Ctx } from '../../../../kit/index.js';
import type { Document } from '../../model/records/document.entity.js';
import type { ContentQuery } from './content.dto.js';
import type { Contents, DocumentPart } from './contents.service.js';
import { fileNameOf } from './file-names.js';
import { textOfHtml } from '../../engine/content/plain-text.js';
import { hasPictures, styleSource } from '../../engine/content/render-html.js';

/** The page may load its own style and nothing else, whatever the document's text contains. */
function policyOf(page: string): string {
  return [
    `default-src 'none'`,
    `style-src ${styleSource(page)}`,
    // pictures of a document are parts of its page
    ...(hasPictures(page) ? ['img-src data:'] : []),
    `base-uri 'none'`,
    `form-action 'none'`,
    `frame-ancestors 'none'`,
  ].join('; ');
}

const HEADERS = { 'Cache-Control': 'no-store' };

/** A document's text as a file. It is private to its reader, so no cache may store it. */
export async function contentResponse(
  ctx: Ctx,
  contents: Contents,
  document: Document,
  { format = 'html', revision = document.revision, file }: ContentQuery,
): Promise<FileResponse> {
  const part = file === undefined || file === 'all' ? null : await partOf(ctx, contents, document, revision, file);
  const { position = 1, name = '' } = part ?? {};
  // a page or a text without `file` has all files
  const isAll = part === null && (file === 'all' || format !== 'pdf');
  const filename = fileNameOf(document, isAll ? 'all' : { position, name }, format === 'text' ? 'txt' : format);
  if (format === 'pdf') {
    const pdf = file === 'all' ? await contents.joined(ctx, document, revision) : await contents.pdf(ctx, document, revision, position);
    return new FileResponse('application/pdf', pdf, { filename, headers: HEADERS });
  }
  const html = await contents.html(ctx, document, revision, part?.position);
  if (format === 'text') return new FileResponse('text/plain', textOfHtml(html), { filename, headers: HEADERS });
  return new FileResponse('text/html', html, { filename, headers: { ...HEADERS, 'Content-Security-Policy': policyOf(html) } });
}

async function partOf(ctx: Ctx, contents: Contents, document: Document, revision: number, file: string): Promise<DocumentPart> {
  const parts = await contents.parts(ctx, document, revision);
  const part = parts.find(({ file_id }) => (file_id ?? 'certificate') === file);
  if (part) return part;
  const allowed = ['all', ...parts.map(({ file_id }) => file_id ?? 'certificate')];
  throw CommonErrors.validationFailed({ param: 'file', allowed, message: `file must be one of ${allowed.join(', ')}` });
}
