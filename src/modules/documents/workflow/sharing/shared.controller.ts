import { Body, Controller, Get, Headers, HttpCode, Param, Post, Query } from '@nestjs/common';
import { CommonErrors, Field, FileResponse, PRIVATE_HEADERS, Public, redirect, Settings, Visitor } from '../../../../kit/index.js';
import { gonePage } from '../../pages/gone-page.js';
import { Endings } from '../content/endings.service.js';
import { ShownContents } from '../content/shown-contents.service.js';
import { PagePictures, type PdfSource } from '../../engine/pictures/page-pictures.service.js';
import { pageTextResponse, pictureResponse } from '../content/page-responses.js';
import { DownloadQuery, PageTextQuery, PictureQuery, type PartQuery } from '../content/pages.dto.js';
import { isLocked } from './passcode.js';
import { SharedDocuments, type SharedDocument } from './shared-documents.service.js';
import { passcodePage, sharedPage } from './shared.page.js';

const COOKIE = 'share_pass';

class PasscodeDto {
  @Field.string({
    description: 'The passcode.',
    example: 'blue-harbour-42',
    minLength: 0,
    maxLength: 64,
    required: false,
  })
  passcode?: string;
}

/** The public pages of a share link. */
@Controller('/p/:token')
export class SharedController {
  constructor(
    private readonly shared: SharedDocuments,
    private readonly contents: ShownContents,
    private readonly pictures: PagePictures,
    private readonly settings: Settings,
    private readonly endings: Endings,
  ) {}

  @Get()
  @Public('Anyone with the link may read the document', { writesOnGet: 'The audit trail of the document notes who opened it' })
  open(@Param('token') token: string, @Visitor() visitor: Visitor, @Headers('cookie') cookies?: string): Promise<FileResponse> {
    return this.answer(token, cookies, async (shared, isOpen) => {
      if (!isOpen) return passcodePage(shared, isLocked(shared.link) ? { kind: 'locked' } : undefined);
      const content = await this.contents.html(shared.ctx, shared);
      const files = await this.contents.files(shared.ctx, shared);
      await this.shared.note(shared, 'papers.share_opened', visitor);
      return sharedPage(shared, await this.shared.parties(shared), { content, files });
    });
  }

  @Post()
  @HttpCode(200)
  @Public('Anyone with the link may enter its passcode')
  enter(@Param('token') token: string, @Body() { passcode = '' }: PasscodeDto): Promise<FileResponse> {
    return this.answer(token, undefined, async (shared) => {
      const verdict = await this.shared.enter(shared, passcode);
      if (verdict.kind !== 'right') return passcodePage(shared, verdict);
      const { value, seconds } = this.shared.pass(shared);
      const secure = this.settings.secureCookies ? '; Secure' : '';
      return redirect(`/p/${token}`, {
        'Set-Cookie': `${COOKIE}=${encodeURIComponent(value)}; Path=/p/${token}; Max-Age=${seconds}; HttpOnly; SameSite=Strict${secure}`,
      });
    });
  }

  @Get('pdf')
  @Public('Anyone with the link may download the document if the sender allows it', {
    writesOnGet: 'The audit trail of the document notes who downloaded it',
  })
  pdf(
    @Param('token') token: string,
    @Query() { part }: DownloadQuery,
    @Visitor() visitor: Visitor,
    @Headers('cookie') cookies?: string,
  ): Promise<FileResponse> {
    return this.answer(token, cookies, async (shared, isOpen) => {
      if (!isOpen) return redirect(`/p/${token}`);
      if (!shared.link.allow_download) throw CommonErrors.notFound({ message: 'Downloads are not enabled for this link.' });
      const { pdf, filename } = await this.contents.download(shared.ctx, shared, part);
      await this.shared.note(shared, 'papers.share_downloaded', visitor);
      return new FileResponse('application/pdf', pdf, { filename, download: true, headers: PRIVATE_HEADERS });
    });
  }

  @Get('pages/:page')
  @Public('Anyone with the link may see the pages of the document', { partOfPage: true })
  picture(
    @Param('token') token: string,
    @Param('page') page: string,
    @Query() query: PictureQuery,
    @Headers('cookie') cookies?: string,
  ): Promise<FileResponse> {
    return this.onPage(token, cookies, query, (source) => pictureResponse(this.pictures, source, page, query));
  }

  @Get('pages/:page/text')
  @Public('Anyone with the link may read the pages of the document', { partOfPage: true })
  text(
    @Param('token') token: string,
    @Param('page') page: string,
    @Query() query: PageTextQuery,
    @Headers('cookie') cookies?: string,
  ): Promise<FileResponse> {
    return this.onPage(token, cookies, query, (source) => pageTextResponse(this.pictures, source, page, query));
  }

  private onPage(
    token: string,
    cookies: string | undefined,
    { part: position }: PartQuery,
    show: (source: PdfSource) => Promise<FileResponse>,
  ): Promise<FileResponse> {
    return this.answer(token, cookies, async (shared, isOpen) =>
      isOpen ? show(this.contents.source(shared.ctx, { ...shared, position })) : redirect(`/p/${token}`),
    );
  }

  /** A link by which nobody can read the document leads to a page that says why. */
  private async answer(
    token: string,
    cookies: string | undefined,
    act: (shared: SharedDocument, isOpen: boolean) => Promise<FileResponse>,
  ): Promise<FileResponse> {
    const shared = await this.shared.find(token);
    const isOpen = this.shared.isOpen(shared, passOf(cookies));
    const closure = this.shared.closure(shared, isOpen);
    if (closure === null) return act(shared, isOpen);
    // what became of the document is for those who could read it
    const ending = closure.title === null ? null : await this.endings.of(shared.ctx, shared.document, shared.look);
    return gonePage(shared.look, { purpose: shared.look.texts.purposes.share, ...closure, ending });
  }
}

function passOf(cookies: string | undefined): string | null {
  const value = new RegExp(`(?:^|;\\s*)${COOKIE}=([^;]+)`).exec(cookies ?? '')?.[1];
  if (value === undefined) return null;
  try {
    return decodeURIComponent(value);
  } catch {
    return null;
  }
}
