import { readFile } from 'node:fs/promises';
import { Controller, Get, Param } from '@nestjs/common';
import { CommonErrors, FileResponse, Public } from '../../../../../kit/index.js';
import { handFile } from '../../../engine/typst/fonts.js';
import { FACES } from '../../../model/records/signature-party.entity.js';

/** The typefaces of signatures, so that a page shows what will be printed. */
@Controller('/papers/faces')
export class FacesController {
  @Get(':file')
  @Public('Signing pages show the typefaces, and they are the same for everyone', { limited: false })
  async read(@Param('file') file: string): Promise<FileResponse> {
    const face = FACES.find((one) => `${one}.ttf` === file);
    if (face === undefined) throw CommonErrors.notFound();
    return new FileResponse('font/ttf', await readFile(handFile(face)), { headers: { 'Cache-Control': 'public, max-age=604800' } });
  }
}
