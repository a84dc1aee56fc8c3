import { Inject, Injectable } from '@nestjs/common';
import type { PageDefinition } from './page-definition.js';
import { PageTable } from './page-table.js';
import { isAllowed } from './required.js';
import type { Visit } from './visit.js';

const ASKED_AGAIN_MS = 60_000;
const ASKED_MUCH_LATER_MS = 60 * 60_000;
const MOST_REMEMBERED = 10_000;

/**
 * Which pages a member no longer needs, in any session. Every page needs to know this, so pages are asked at most once a minute; those
 * that are no longer needed once an hour, because this can change again.
 */
@Injectable()
export class OverPages {
  private readonly remembered = new Map<string, { isOver: boolean; until: number }>();

  constructor(@Inject(PageTable) private readonly pages: PageTable) {}

  async of(visit: Visit): Promise<ReadonlySet<PageDefinition>> {
    const asked = this.pages.pages.filter(({ isOver, permission }) => isOver !== undefined && isAllowed(visit.visitor, permission));
    const over = await Promise.all(asked.map(async (page) => ((await this.isOver(visit, page)) ? [page] : [])));
    return new Set(over.flat());
  }

  private async isOver(visit: Visit, page: PageDefinition): Promise<boolean> {
    const key = `${visit.visitor.member.id}${page.path}`;
    const known = this.remembered.get(key);
    if (known && known.until > Date.now()) return known.isOver;
    // without a result the page stays
    const isOver = (await page.isOver?.(visit).catch(() => false)) ?? false;
    if (this.remembered.size >= MOST_REMEMBERED) this.remembered.clear();
    this.remembered.set(key, { isOver, until: Date.now() + (isOver ? ASKED_MUCH_LATER_MS : ASKED_AGAIN_MS) });
    return isOver;
  }
}
