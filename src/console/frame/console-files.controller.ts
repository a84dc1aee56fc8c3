import { Controller, Get, Param } from '@nestjs/common';
import { FileResponse, Public, redirect } from '../../kit/index.js';
import { CONSOLE_SCRIPT, CONSOLE_SCRIPT_FILE } from './console-script.js';
import { CONSOLE } from './visit.js';

/** The script of the console's pages, and the way to them. */
@Controller()
export class ConsoleFilesController {
  @Get('/')
  @Public('Leads people to the console')
  root(): FileResponse {
    return redirect(CONSOLE);
  }

  /** Another release's name gets the script, too: while processes are replaced, a page and its script may come from different ones. */
  @Get('/scripts/:file')
  @Public('Every page of the console loads its script, and it is the same for everyone', { limited: false })
  script(@Param('file') file: string): FileResponse {
    const isCurrent = file === CONSOLE_SCRIPT_FILE;
    return new FileResponse('text/javascript', CONSOLE_SCRIPT, {
      headers: { 'Cache-Control': isCurrent ? 'public, max-age=31536000, immutable' : 'no-cache' },
    });
  }
}
