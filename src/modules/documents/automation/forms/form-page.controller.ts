import { Body, Controller, Get, Param, Post } from '@nestjs/common';
import { Public, Upload, Uploaded, Visitor, type FileResponse } from '../../../../kit/index.js';
import { FormPageBody } from './form-page.dto.js';
import { MOST_FILE_BYTES } from './form-uploads.service.js';
import { FormVisits } from './form-visits.service.js';

/** The fields of the form around the file. */
const FIELDS_BYTES = 1024 * 1024;

@Controller('/f/:slug')
export class FormPageController {
  constructor(private readonly visits: FormVisits) {}

  @Get()
  @Public('Anyone with its URL may read and fill in an intake form')
  show(@Param('slug') slug: string): Promise<FileResponse> {
    return this.visits.show(slug);
  }

  @Post()
  @Public('Anyone with its URL may submit an intake form; submissions are limited per IP address')
  submit(@Param('slug') slug: string, @Body() body: FormPageBody, @Visitor() visitor: Visitor): Promise<FileResponse> {
    return this.visits.submit(slug, body, visitor);
  }

  @Post('file')
  @Public('Anyone with its URL may upload a PDF to fill in an intake form; uploads are limited per IP address, and nothing is stored', {
    upload: 'file',
    bodyLimit: MOST_FILE_BYTES + FIELDS_BYTES,
    callsPerTenMinutes: 10,
  })
  fillIn(
    @Param('slug') slug: string,
    @Body() body: FormPageBody,
    @Uploaded() upload: Upload,
    @Visitor() visitor: Visitor,
  ): Promise<FileResponse> {
    return this.visits.fillIn(slug, body, upload, visitor);
  }

  @Get('file')
  @Public('Leads back from a filled-in form to the form, if its address is opened again')
  file(@Param('slug') slug: string): Promise<FileResponse> {
    return this.visits.back(slug);
  }

  @Get('thanks')
  @Public('The confirmation page after an intake form was submitted')
  thanks(@Param('slug') slug: string): Promise<FileResponse> {
    return this.visits.thanks(slug);
  }
}
