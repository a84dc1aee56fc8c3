import { Controller, Get, Param } from '@nestjs/common';
import { FileResponse, Public } from '../../kit/index.js';
import { PAGE_STYLE, PAGE_STYLE_FILE } from '../../kit/internal.js';

/** The stylesheet of all public pages. */
@Controller('/styles')
export class PageStyleController {
  /** Another release's name gets the style, too: while processes are replaced, a page and its style may come from different ones. */
  @Get(':file')
  @Public('Every public page loads its stylesheet, and it is the same for everyone', { limited: false })
  read(@Param('file') file: string): FileResponse {
    const isCurrent = file === PAGE_STYLE_FILE;
    return new FileResponse('text/css', PAGE_STYLE, {
      headers: { 'Cache-Control': isCurrent ? 'public, max-age=31536000, immutable' : 'no-cache' },
    });
  }
}
