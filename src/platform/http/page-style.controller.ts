import { readFile } from 'node:fs/promises';
import { Controller, Get, Param } from '@nestjs/common';
import { CommonErrors, FileResponse, Public } from '../../kit/index.js';
import { ICON_SHEET, stylesheetOf, typefacePath } from '../../kit/internal.js';

/** The stylesheets, typefaces and icons of pages. */
@Controller('/styles')
export class PageStyleController {
  /**
   * A file name of another release gets the current style, too: during a deployment a page and its style may come from different
   * processes.
   */
  @Get(':file')
  @Public('Every public page loads its style, and it is the same for everyone', { limited: false })
  async read(@Param('file') file: string): Promise<FileResponse> {
    const face = typefacePath(file);
    // not for a year: a new version of a typeface keeps the name
    if (face !== undefined)
      return new FileResponse('font/woff2', await readFile(face), { headers: { 'Cache-Control': 'public, max-age=2592000' } });
    const sheet = stylesheetOf(file);
    if (sheet) return current('text/css', sheet.css, file === sheet.file);
    if (!/^icons-[0-9a-f]{16}\.svg$/.test(file)) throw CommonErrors.notFound();
    return current('image/svg+xml', ICON_SHEET.svg, file === ICON_SHEET.file);
  }
}

function current(type: string, content: string, isAskedFor: boolean): FileResponse {
  return new FileResponse(type, content, {
    headers: { 'Cache-Control': isAskedFor ? 'public, max-age=31536000, immutable' : 'no-cache' },
  });
}
