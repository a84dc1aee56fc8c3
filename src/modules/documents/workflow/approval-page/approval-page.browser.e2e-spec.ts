import { describe, expect, test } from '@jest/globals';
import type { Browser, Page } from 'playwright-core';
import { accessibilityFaults, focusOn, openBrowser, pageOf } from '../../../../../test/harness/browser.js';
import { sharedApp } from '../../../../../test/harness/hosted-app.js';
import { isAbout, WorkflowFixture } from '../../testing/workflow-fixture.js';

const browser: Browser | null = await openBrowser();
const seen = browser ? describe : describe.skip;
const app = await sharedApp();
const workflow = await WorkflowFixture.open(app);
const ada = await workflow.space.member('admin');
const TEMPLATE = `# Agreement\n\n${'A clause of the agreement with {{customer}}.\n\n'.repeat(40)}`;

async function open(width: number): Promise<{ id: string; page: Page }> {
  const { code } = await workflow.approvedBy([ada], { template: TEMPLATE });
  const id = await workflow.submitted(code);
  const { rows } = await app.sql.query<{ text: string }>(`SELECT text FROM mails WHERE ${isAbout('$1')}`, [id]);
  const [link] = /\/a\/[\w-]{43}/.exec(rows[0].text) as RegExpExecArray;
  const viewport = { width, height: 740 };
  const page = await pageOf(browser as Browser, { viewport, javaScriptEnabled: width < 500, reducedMotion: 'reduce' });
  await page.goto(app.url + link);
  return { id, page };
}

const focused = (page: Page) => page.locator(':focus').getAttribute('id');
const overflow = (page: Page) => page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth);
const picture = async (page: Page, name: string): Promise<void> => {
  if (process.env.TEST_SCREENSHOTS) await page.screenshot({ path: `${process.env.TEST_SCREENSHOTS}/${name}.png`, fullPage: true });
};

seen('the page of an approver in a browser', () => {
  test.each([360, 1280])('is decided by keyboard alone at %i pixels, in the wide case without scripts', async (width) => {
    const { id, page } = await open(width);
    const press = async (...keys: string[]) => {
      for (const key of keys) await page.keyboard.press(key);
    };
    const check = async () => expect([await overflow(page), width < 500 ? await accessibilityFaults(page) : []]).toEqual([0, []]);
    await check();
    await picture(page, `decide-${width}`);
    // past the download to the link that skips the document, and from there to the choice
    await press('Tab', 'Tab', 'Enter');
    await focusOn(page, '#decide_part');
    await press('Tab');
    expect(await focused(page)).toBe('decision_approve');
    await press('Tab', 'Tab', 'Enter');
    await focusOn(page, '[role=alert]');
    expect(await page.getByRole('alert').textContent()).toContain('Choose what you decide.');
    await check();
    // the note has the focus; its link leads to the choice
    await press('Tab', 'Enter');
    await page.locator('#decision:target').waitFor();
    await press('Tab', 'Space', 'ArrowDown', 'Tab');
    expect([await page.getByLabel('Return for changes').isChecked(), await focused(page)]).toEqual([true, 'comment']);
    await page.keyboard.type('Clause 4, please.');
    await press('Tab', 'Enter');
    await page.getByRole('status').waitFor();
    expect(await page.getByRole('status').textContent()).toContain('You have returned this document for changes.');
    await check();
    await picture(page, `decided-${width}`);
    expect(await workflow.read(id)).toMatchObject({ state: 'returned' });
  });
});
