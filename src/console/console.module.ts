import { Module, type DynamicModule, type Type } from '@nestjs/common';
import { manifestOf } from '../kit/internal.js';
import { ModuleRegistry } from '../platform/registry/module-registry.js';
import { ProductCalls } from './calls/product-calls.js';
import { ConsoleFilesController } from './frame/console-files.controller.js';
import { pageController, UNKNOWN_PAGE } from './frame/page-controller.js';
import { CompletedPages } from './frame/completed-pages.js';
import { PageRunner } from './frame/page-runner.js';
import { checkPages, PageTable } from './frame/page-table.js';
import { InvitationController } from './invitation/invitation.controller.js';
import { pagesWith } from './pages.js';
import { ResetController } from './reset/reset.controller.js';
import { SignInController } from './sign-in/sign-in.controller.js';

/**
 * The pages below `/console`, which call the product's routes in process.
 * - `calls/` those calls, and the messages when one fails
 * - `sign-in/`, `reset/`, `invitation/` the pages for people without a session
 * - `frame/` what surrounds every member page: session, permission, mode, forms, errors, navigation
 * - `components/` the components of pages: tables, charts, badges
 * - `activity/` the overview, the request log, and analytics
 * - all others: the pages of `pages.ts`, by subject. Pages about one module are in its folder, and use what `index.ts` exports
 */
@Module({})
export class ConsoleModule {
  static register(modules: readonly Type[]): DynamicModule {
    const table = new PageTable(pagesWith(modules.map(manifestOf)));
    return {
      module: ConsoleModule,
      controllers: [
        SignInController,
        ResetController,
        InvitationController,
        ConsoleFilesController,
        ...[...table.pages, UNKNOWN_PAGE].map((page) => pageController(page)),
      ],
      providers: [
        ProductCalls,
        CompletedPages,
        PageRunner,
        {
          provide: PageTable,
          useFactory({ permissions }: ModuleRegistry) {
            checkPages(table.pages, permissions);
            return table;
          },
          inject: [ModuleRegistry],
        },
      ],
    };
  }
}
