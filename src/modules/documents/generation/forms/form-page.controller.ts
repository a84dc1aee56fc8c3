import { Body, Controller, Get, Param, Post } from '@nestjs/common';
import { Public, Visitor, type FileResponse } from '../../../../kit/index.js';
import { FormPageBody } from './form-page.dto.js';
import { FormVisits } from './form-visits.service.js';

@Controller('/f/:slug')
export class FormPageController {
  constructor(private readonly visits: FormVisits) {}

  @Get()
  @Public('Anyone with its address may read and fill in an intake form')
  show(@Param('slug') slug: string): Promise<FileResponse> {
    return this.visits.show(slug);
  }

  @Post()
  @Public('Anyone with its address may fill in an intake form; how often is bounded per address')
  submit(@Param('slug') slug: string, @Body() body: FormPageBody, @Visitor() visitor: Visitor): Promise<FileResponse> {
    return this.visits.submit(slug, body, visitor);
  }

  @Get('thanks')
  @Public('What is said to whoever has filled in an intake form')
  thanks(@Param('slug') slug: string): Promise<FileResponse> {
    return this.visits.thanks(slug);
  }
}
