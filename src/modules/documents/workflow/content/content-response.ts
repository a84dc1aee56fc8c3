import { FileResponse, type Ctx } from '../../../../kit/index.js';
import type { Document } from '../../model/records/document.entity.js';
import type { ContentQuery } from './content.dto.js';
import type { Contents } from './contents.service.js';
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

/** A document's text as a file. It is private to its reader, so no cache may store it. */
export async function contentResponse(
  ctx: Ctx,
  contents: Contents,
  document: Document,
  { format = 'html', revision = document.revision }: ContentQuery,
): Promise<FileResponse> {
  const filename = `${document.number ?? document.title}.${format === 'text' ? 'txt' : format}`;
  if (format === 'pdf')
    return new FileResponse('application/pdf', await contents.pdf(ctx, document, revision), {
      filename,
      headers: { 'Cache-Control': 'no-store' },
    });
  if (format === 'text')
    return new FileResponse('text/plain', textOfHtml(await contents.html(ctx, document, revision)), {
      filename,
      headers: { 'Cache-Control': 'no-store' },
    });
  const html = await contents.html(ctx, document, revision);
  return new FileResponse('text/html', html, {
    filename,
    headers: { 'Cache-Control': 'no-store', 'Content-Security-Policy': policyOf(html) },
  });
}
