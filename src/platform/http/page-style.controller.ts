import { Controller, Get, Param } from '@nestjs/common';
import { CommonErrors, FileResponse, Public } from '../../kit/index.js';
import { stylesheetOf } from '../../kit/internal.js';

/** The stylesheets of public pages. */
@Controller('/styles')
export class PageStyleController {
  /** Another release's name gets the style, too: while processes are replaced, a page and its style may come from different ones. */
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
