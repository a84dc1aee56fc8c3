import { Controller, Get, Param } from '@nestjs/common';
import { CommonErrors, FileResponse, Public } from '../../kit/index.js';
import { stylesheetOf } from '../../kit/internal.js';

/** The stylesheets of public pages. */
@Controller('/styles')
export class PageStyleController {
  /**
   * A file name of another release gets the current style, too: during a deployment a page and its style may come from different
   * processes.
   */
  @Get(':file')
  @Public('Every public page loads its stylesheets, and they are the same for everyone', { limited: false })
  read(@Param('file') file: string): FileResponse {
    const sheet = stylesheetOf(file);
    if (!sheet) throw CommonErrors.notFound();
    return new FileResponse('text/css', sheet.css, {
      headers: { 'Cache-Control': file === sheet.file ? 'public, max-age=31536000, immutable' : 'no-cache' },
    });
  }
}
