import { Body, Controller, Get, Param, Post } from '@nestjs/common';
import { Public, Visitor, type FileResponse } from '../../../../kit/index.js';
import { FormPageBody } from './form-page.dto.js';
import { FormVisits } from './form-visits.service.js';

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

  @Get('thanks')
  @Public('The confirmation page after an intake form was submitted')
  thanks(@Param('slug') slug: string): Promise<FileResponse> {
    return this.visits.thanks(slug);
  }
}
