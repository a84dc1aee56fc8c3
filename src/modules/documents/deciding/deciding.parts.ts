import type { DomainModuleOptions } from '../../../kit/index.js';
import { DecidingController } from './deciding.controller.js';
import { Deciding } from './deciding.service.js';

/** `deciding/`: the page of a link from a mail on which an approver decides. */
export const DECIDING = {
  controllers: [DecidingController],
  providers: [Deciding],
} satisfies Partial<DomainModuleOptions>;
