import { Body, Controller, Get, Param, Post, Req } from '@nestjs/common';
import type { FastifyRequest } from 'fastify';
import { Public, type FileResponse } from '../../../kit/index.js';
import { ConsentBody } from './consent.dto.js';
import { ConsentService } from './consent.service.js';

@Controller('/console/authorize/:request')
export class ConsentController {
  constructor(private readonly consent: ConsentService) {}

  @Get()
  @Public('Reads the session itself: without one, it leads to the sign-in')
  show(@Param('request') id: string, @Req() request: FastifyRequest): Promise<FileResponse> {
    return this.consent.show(id, request);
  }

  @Post()
  @Public('Reads the session and its CSRF token itself: without them, it authorizes nothing')
  answer(@Param('request') id: string, @Body() body: ConsentBody, @Req() request: FastifyRequest): Promise<FileResponse> {
    return this.consent.answer(id, body, request);
  }
}
