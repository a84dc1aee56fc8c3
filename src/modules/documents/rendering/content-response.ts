import { FileResponse, type Ctx } from '../../../kit/index.js';
import type { Document } from '../model/records/document.entity.js';
import type { CONTENT_FORMATS } from './content.dto.js';
import type { Contents } from './contents.service.js';
import { textOfHtml } from './content/plain-text.js';
import { STYLE_SOURCE } from './content/render-html.js';

/** The page asks for nothing but its own style, whatever a document's text says. */
const CONTENT_SECURITY_POLICY = `default-src 'none'; style-src ${STYLE_SOURCE}; base-uri 'none'; form-action 'none'; frame-ancestors 'none'`;

/** A document's text as a file; drafts and frozen texts alike are for its reader alone, so nobody between keeps them. */
export async function contentAnswer(
  ctx: Ctx,
  contents: Contents,
  document: Document,
  format: (typeof CONTENT_FORMATS)[number],
): Promise<FileResponse> {
  const filename = `${document.number ?? document.title}.${format === 'text' ? 'txt' : format}`;
  if (format === 'pdf')
    return new FileResponse('application/pdf', await contents.pdf(ctx, document), { filename, headers: { 'Cache-Control': 'no-store' } });
  if (format === 'text')
    return new FileResponse('text/plain', textOfHtml(await contents.html(ctx, document)), {
      filename,
      headers: { 'Cache-Control': 'no-store' },
    });
  return new FileResponse('text/html', await contents.html(ctx, document), {
    filename,
    headers: { 'Cache-Control': 'no-store', 'Content-Security-Policy': CONTENT_SECURITY_POLICY },
  });
}
