import { Controller, Get, Param } from '@nestjs/common';
import { FileResponse, Public, redirect } from '../../kit/index.js';
import { CONSOLE_SCRIPT, CONSOLE_SCRIPT_FILE } from './console-script.js';
import { CONSOLE } from './visit.js';

const ICON = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32"><rect width="32" height="32" rx="8" fill="#274b86"/>
<path d="M8 10h16M8 16h16M8 22h9" fill="none" stroke="#fff" stroke-width="3" stroke-linecap="round"/></svg>`;

/** The script of the console's pages, and the redirect to the console. */
@Controller()
export class ConsoleFilesController {
  @Get('/')
  @Public('Leads people to the console')
  root(): FileResponse {
    return redirect(CONSOLE);
  }

  /** Browsers ask for it on every page. */
  @Get('/favicon.ico')
  @Public('Browsers show it beside the title of every page', { limited: false })
  icon(): FileResponse {
    return new FileResponse('image/svg+xml', ICON, { headers: { 'Cache-Control': 'public, max-age=604800' } });
  }

  /**
   * A file name of another release gets the current script, too: during a deployment a page and its script may come from different
   * processes.
   */
  @Get('/scripts/:file')
  @Public('Every page of the console loads its script, and it is the same for everyone', { limited: false })
  script(@Param('file') file: string): FileResponse {
    const isCurrent = file === CONSOLE_SCRIPT_FILE;
    return new FileResponse('text/javascript', CONSOLE_SCRIPT, {
      headers: { 'Cache-Control': isCurrent ? 'public, max-age=31536000, immutable' : 'no-cache' },
    });
  }
}
