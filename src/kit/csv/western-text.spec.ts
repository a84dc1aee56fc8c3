import { expect, it } from '@jest/globals';
import iconv from 'iconv-lite';
import { growth, LINEAR } from '../../../test/harness/cpu-time.js';
import { doubtOf } from './western-text.js';

const inFile = (text: string, charset: string) => doubtOf(iconv.encode(`external_id;name\no-1;${text}\n`, charset));

it.each([
  'Jürgen Müller; Größe & Söhne; Düsseldorfer Straße; ÖBB ÜBER Ärzte; „Wort“ ‚a‘ Köln–Bonn…',
  'Café Société Générale; où déjà août çà naïve cœur Œuvre l’été; François Bézier, Île-de-France; Saint-Saëns Moët créée',
  'José Núñez Peña Ibáñez; ¿Qué? ¡Olé! 1º Mª Nª; Pérez Báez Peláez; lingüística Ñandú Logroño',
  'João Conceição; Informações; São Paulo; irmãs mãe amanhã cãibra pãozinho',
  'caffè città perché così più però Niccolò Gesù Forlì Cantù',
  'Barça història àrea pingüí Lluís Companys Núria qüestió',
  'Åke Sjöström; Östersund; Søren Kjærgård; Ørsted Åbenrå Ærø; Tromsø én òg; HÄMÄLÄINEN Pääjärvi',
  'Þórður Guðmundsson; Sigurðardóttir; Ægir Jónsson; Þýðandi íþróttir; Davíð; við ég á í',
  'één coördinatie geïnd België Curaçao',
  'Tõnu Jõgi, Jüri Mägi, Ülle Väli, Pärnu Põltsamaa',
  '5 € 12½ m² cm³ 20 µm 5°C § 12 Firma® Marke™ ©2026',
  'Šakki ŽIŽEK Miloš Dušan',
  'Škoda Auto; Škrtel; Škvor; Phœbe; Peñ; Sìle; McÉwan',
])('takes words of Western Europe for what they are: %s', (text) => {
  expect(inFile(text, 'windows-1252')).toBeNull();
  for (const word of text.split('; ')) expect([word, inFile(word, 'windows-1252')]).toEqual([word, null]);
});

it.each([
  ['windows-1251', 'Иванов Пётр', 'Иванов'],
  ['koi8-r', 'Иванов Пётр', 'Иванов'],
  ['windows-1253', 'Παπαδόπουλος Γεώργιος', 'Παπαδόπουλος'],
  ['windows-1254', 'Oğuz Aydın', 'Oğuz'],
  ['windows-1254', 'Ayşe Yılmaz', 'Ayşe'],
  ['windows-1250', 'Michał', 'Michał'],
  ['windows-1250', 'Kučera', 'Kučera'],
  ['windows-1250', 'Erdős', 'Erdős'],
  ['windows-1250', 'Petrović', 'Petrović'],
  ['iso-8859-2', 'Škoda Žižek', 'Škoda'],
  ['windows-1256', 'محمد علي', 'محمد'],
  ['windows-1257', 'Šiauliai', 'Šiauliai'],
  ['gbk', '北京市朝阳区', '北京市朝阳区'],
  ['gbk', '王小明', '王小明'],
  ['shift_jis', '東京都', '東京都'],
  ['euc-kr', '김철수', '김철수'],
  ['ibm850', 'Größe', 'Größe'],
  ['ibm850', 'Café', 'Café'],
  ['macintosh', 'Größe', 'Größe'],
  ['macintosh', 'Café', 'Café'],
])('is doubtful, and looks like %s: %s', (charset, text, example) => {
  expect(inFile(text, charset)).toMatchObject({ line: 2, likely: { charset, example } });
});

it.each([
  ['windows-1254', 'İstanbul'],
  ['iso-8859-2', 'Wałęsa'],
  ['ibm866', 'Иванов Пётр'],
  ['windows-1255', 'דוד כהן'],
  ['windows-874', 'สมชาย ใจดี'],
  ['big5', '王小明臺北市'],
  ['ibm850', 'Straße'],
  ['ibm850', 'Müller'],
  ['macintosh', 'Müller'],
])('is doubtful, although one word does not tell what it is: %s %s', (charset, text) => {
  expect(inFile(text, charset)).toMatchObject({ line: 2 });
});

it('odd names in a file of Western Europe are no doubt, however few other words it has', () => {
  const names = ['Müller', 'Größe', 'Köln', 'Jäger', 'Škoda Auto', 'Škrtel', 'Škvor', 'Phœbe', 'Peñ', 'Sìle', 'McÉwan'];
  expect(inFile(names.join('\n'), 'windows-1252')).toBeNull();
  expect(inFile([...names.slice(0, 4), 'Wałęsa', 'Michał'].join('\n'), 'windows-1250')).toBeNull();
});

it('an undefined byte among many words of Western Europe is a doubt', () => {
  const names = [...Array<string>(500).fill('Müller'), `${'a'.repeat(100)}\x81`].join('\n');
  expect(doubtOf(Buffer.from(names, 'latin1'))).toMatchObject({ line: 501 });
});

it.each([
  ['windows-1251', 'Анна Иванова; Пётр Сидоров; ООО Ромашка; г. Москва, ул. Ленина; и он на не'],
  ['windows-1253', 'Γεώργιος Παπαδόπουλος; Αθήνα; Ελένη και Μαρία; ΑΕ'],
  ['windows-1250', 'Gdańsk; Poznań; Łódź; Kraków; Michał Wałęsa; Małgorzata; Święty; Jóźwiak; Dąbrowska; Żółkiewski; Toruń'],
  ['windows-1250', 'Jiří Dvořák; Němec; Plzeň; Kučera; Novák; Růžička; Černý; Svoboda; Žďár; Kovář; Procházka; Veselý; Beneš'],
  ['windows-1254', 'Ayşe Yılmaz; Öztürk; Şahin; Çelik; Güneş; İstanbul; Diyarbakır; Doğan; Işık; Gümüş; Özdemir; Müdür'],
  ['windows-1257', 'Šiauliai; Jūratė; Žemaitė; Šarūnas; Kęstutis; Panevėžys; Čiurlionis'],
  ['ibm850', 'Müller; Größe; Köln; Jäger; Straße; Ärzte'],
  ['macintosh', 'Müller; Größe; Köln; Jäger; Straße; Ärzte; Söhne; König; Schröder'],
  ['macintosh', 'Café; Société Générale; François; Hélène; où déjà; été'],
])('a file of usual words is doubtful, and looks like %s: %s', (charset, text) => {
  expect(inFile(text.replace(/; /g, '\n'), charset)).toMatchObject({ likely: { charset } });
});

it.each([[[0x61]], [[0xb0]], [[0xf0]], [[0xe4, 0x20]], [[0xe4, 0x61]]])(
  'text of the bytes %j without an end takes linear time',
  async (bytes) => {
    const endless = (size: number) => Buffer.concat([Buffer.alloc(size, Buffer.from(bytes)), Buffer.from([0xe9])]);
    // the smaller one, too, exceeds what V8 keeps on pages of its heap: fresh memory is expensive on some machines
    expect(await growth(endless, 400_000, doubtOf)).toBeLessThan(LINEAR);
  },
);
