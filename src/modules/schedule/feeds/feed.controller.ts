import { hash } from 'node:crypto';
import { Controller, Get, Headers, Param } from '@nestjs/common';
import { Brands, FileResponse, html, page, PRIVATE_HEADERS, Public, Settings, currentTime } from '../../../kit/index.js';
import { FeedReader } from './feed-reader.service.js';

/** What calendar programs subscribe to. A program may ask 60 times an hour. */
@Controller('/c')
export class FeedController {
  constructor(
    private readonly reader: FeedReader,
    private readonly settings: Settings,
    private readonly brands: Brands,
  ) {}

  @Get(':token.ics')
  @Public('Calendar programs read the feed by its secret address', { callsPerHour: 60 })
  async read(@Param('token') token: string, @Headers('if-none-match') known?: string): Promise<FileResponse> {
    const opened = await this.reader.open(token);
    const now = currentTime();
    // read before the events: if one changes meanwhile, the next request finds another state and reads them again
    const etag = `"${hash('sha256', await this.reader.state(opened, now), 'base64url')}"`;
    const headers = { ...PRIVATE_HEADERS, 'Cache-Control': 'private, no-cache', ETag: etag };
    const isKnown = known?.split(',').some((one) => one.trim().replace(/^W\//, '') === etag) ?? false;
    if (isKnown) return new FileResponse('text/calendar', '', { status: 304, headers });
    return new FileResponse('text/calendar', await this.reader.read(opened, now), { filename: 'calendar.ics', headers });
  }

  @Get(':token')
  @Public('Shows how to subscribe to the feed to anyone with its address')
  async show(@Param('token') token: string): Promise<FileResponse> {
    const { ctx, calendar, feed, organization } = await this.reader.open(token);
    const url = `${this.settings.baseUrl}/c/${token}.ics`;
    return page({
      title: calendar.name,
      host: { name: organization, purpose: 'Calendars', brand: await this.brands.of(ctx) },
      body: html`<h1>${calendar.name}</h1>
<p class="lead">Subscribe to this calendar, and your calendar program keeps up with it.</p>
<section class="card" aria-label="Subscribe">
<p><a class="button" href="${url.replace(/^https?:/, 'webcal:')}">Open in your calendar program</a></p>
<div class="field"><label for="address">Or add this address as a calendar from the internet</label>
<input type="text" id="address" readonly value="${url}"></div>
</section>
<p>It shows ${feed.detail === 'full' ? 'the events, without the people invited' : 'only when the calendar is taken'}. Most programs look for
changes every hour; Google Calendar does so about once a day. Keep the address to yourself: whoever has it can read the calendar.</p>`,
    });
  }
}
