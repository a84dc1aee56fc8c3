import { Controller, Get, Post, Req, Res, type Type } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { Public, redirect, type FileResponse } from '../../kit/index.js';
import type { PageDefinition } from './page-definition.js';
import { PageRunner } from './page-runner.js';
import { notFoundView } from './refusal-pages.js';
import { CONSOLE } from './visit.js';

const WHY = 'The page reads the session itself: without one, it leads to the sign-in';

/** The routes of a page. It is charged to its member, not to the address. */
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
    @Public(WHY, { limited: false, form: true })
    submit(@Req() request: FastifyRequest, @Res({ passthrough: true }) reply: FastifyReply): Promise<FileResponse> {
      return this.runner.submit(page, request, reply);
    }
  }
  return PageWithForms;
}

/** What any address below `/console` shows that no page has: the first page below it, if there are some. A form sent to it is refused. */
export const UNKNOWN_PAGE: PageDefinition = {
  path: '/*',
  title: 'Unknown',
  permission: null,
  operations: [],
  show(visit) {
    const first = visit.firstBelow();
    return first === undefined ? notFoundView() : redirect(visit.link(first.path));
  },
  actions: {},
};
