import {mkdirSync, readFileSync, writeFileSync} from 'node:fs'
import {join} from 'node:path'
import {chromium} from '@playwright/test'
import {findBrowser} from './find-browser.ts'
import {type IconPicture, packIcns, packIco} from './icon-files.ts'
import {ROOT} from './run-step.ts'

// Draws the app's icons from the one drawing there is, in the sizes and containers that each system wants. Run where the
// drawing changed; what it writes is kept.

const SIZES = [16, 32, 48, 64, 128, 256, 512, 1024]

const folder = join(ROOT, 'icons')
const drawing = readFileSync(join(ROOT, 'renderer', 'public', 'icon.svg'), 'utf8')
const executablePath = findBrowser(process.env)
const browser = await chromium.launch({
  args: ['--no-sandbox', '--disable-gpu'],
  ...(executablePath === undefined ? {} : {executablePath}),
})
const pictures: IconPicture[] = []
for (const size of SIZES) {
  const page = await browser.newPage({viewport: {width: size, height: size}})
  await page.setContent(`<style>*{margin:0}svg{display:block;width:${size}px;height:${size}px}</style>${drawing}`)
  pictures.push({size, png: await page.screenshot({omitBackground: true})})
  await page.close()
}
await browser.close()

mkdirSync(join(folder, 'linux'), {recursive: true})
for (const {size, png} of pictures.filter(({size}) => size <= 512))
  writeFileSync(join(folder, 'linux', `${size}x${size}.png`), png)
writeFileSync(join(folder, 'icon.ico'), packIco(pictures.filter(({size}) => size <= 256)))
writeFileSync(join(folder, 'icon.icns'), packIcns(pictures))
console.log(`drew ${SIZES.length} sizes into icons/`)
