import { Inject, Injectable } from '@nestjs/common';
import type { PageDefinition } from './page-definition.js';
import { PageTable } from './page-table.js';
import { isAllowed } from './required.js';
import type { Visit } from './visit.js';

const ASK_AGAIN_MS = 60_000;
const ASK_COMPLETED_AGAIN_MS = 60 * 60_000;
const MOST_REMEMBERED = 10_000;

/**
 * Which pages a member no longer needs, in any session. Every page needs to know this, so pages are asked at most once a minute; those
 * that are no longer needed once an hour, because this can change again.
 */
@Injectable()
export class CompletedPages {
  private readonly remembered = new Map<string, { isCompleted: boolean; until: number }>();

  constructor(@Inject(PageTable) private readonly pages: PageTable) {}

  async of(visit: Visit): Promise<ReadonlySet<PageDefinition>> {
    const asked = this.pages.pages.filter(
      ({ isCompleted, permission }) => isCompleted !== undefined && isAllowed(visit.visitor, permission),
    );
    const completed = await Promise.all(asked.map(async (page) => ((await this.isCompleted(visit, page)) ? [page] : [])));
    return new Set(completed.flat());
  }

  private async isCompleted(visit: Visit, page: PageDefinition): Promise<boolean> {
    const key = `${visit.visitor.member.id}${page.path}`;
    const known = this.remembered.get(key);
    if (known && known.until > Date.now()) return known.isCompleted;
    // without a result the page stays
    const isCompleted = (await page.isCompleted?.(visit).catch(() => false)) ?? false;
    if (this.remembered.size >= MOST_REMEMBERED) this.remembered.clear();
    this.remembered.set(key, { isCompleted, until: Date.now() + (isCompleted ? ASK_COMPLETED_AGAIN_MS : ASK_AGAIN_MS) });
    return isCompleted;
  }
}
