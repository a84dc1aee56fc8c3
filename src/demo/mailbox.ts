import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import { Store, type Ctx } from '../kit/index.js';
import { DeskSetup, renewDemoMailbox } from '../modules/desk/desk.public.js';
import type { DemoFacts } from './demo-file.js';

const PATH = '/api/v1/public/desk/mail/';

/** Gives the mailbox of the project OPS a new token; null without the project. */
export async function newMailboxPath(app: NestFastifyApplication, ctx: Ctx, projects: DemoFacts['projects']): Promise<string | null> {
  const project = projects.find(({ key }) => key === 'OPS');
  return project ? PATH + (await renewDemoMailbox(app.get(Store), app.get(DeskSetup), ctx, project.id)) : null;
}

/** The path of an address of the mailbox, whatever host it names. */
export function mailboxPathOf(url: string | null | undefined): string | null {
  return url ? PATH + (url.split('/').at(-1) as string) : null;
}
