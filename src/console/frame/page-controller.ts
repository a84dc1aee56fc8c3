import { Controller, Get, Post, Req, Res, type Type } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { Public, redirect, type FileResponse } from '../../kit/index.js';
import type { PageDefinition } from './page-definition.js';
import { PageRunner } from './page-runner.js';
import { notFoundView } from './refusal-pages.js';
import { CONSOLE } from './visit.js';

const WHY = 'The page reads the session itself: without one, it leads to the sign-in';

/** Makes the controller of a page. Requests are charged to the member, not to the address. */
export function pageController(page: PageDefinition): Type {
  @Controller(`${CONSOLE}${page.path}`)
  class PageController {
    constructor(protected readonly runner: PageRunner) {}

    @Get()
    @Public(WHY, { limited: false })
    show(@Req() request: FastifyRequest, @Res({ passthrough: true }) reply: FastifyReply): Promise<FileResponse> {
      return this.runner.show(page, request, reply);
    }
  }
  if (!page.actions) return PageController;

  @Controller(`${CONSOLE}${page.path}`)
  class PageWithForms extends PageController {
    @Post()
    @Public(WHY, {
      limited: false,
      form: true,
    })
    submit(@Req() request: FastifyRequest, @Res({ passthrough: true }) reply: FastifyReply): Promise<FileResponse> {
      return this.runner.submit(page, request, reply);
    }
  }
  return PageWithForms;
}

/** Handles unknown addresses below `/console`: shows the first page below the address, if there is one. Forms are rejected. */
export const UNKNOWN_PAGE: PageDefinition = {
  path: '/*',
  title: 'Unknown',
  permission: null,
  operations: [],
  show(visit) {
    const first = visit.firstBelow();
    return first === undefined ? notFoundView(visit) : redirect(visit.link(first.path));
  },
  actions: {},
};
