import { readFile } from 'node:fs/promises';
import { Controller, Get, Param } from '@nestjs/common';
import { CommonErrors, FileResponse, Public } from '../../kit/index.js';
import { stylesheetOf, typefacePath } from '../../kit/internal.js';

/** The stylesheets and typefaces of pages. */
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
    if (!sheet) throw CommonErrors.notFound();
    return new FileResponse('text/css', sheet.css, {
      headers: { 'Cache-Control': file === sheet.file ? 'public, max-age=31536000, immutable' : 'no-cache' },
    });
  }
}
