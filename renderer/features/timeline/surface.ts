import type {Palette} from './palette.ts'

/** What is painted on: its size in CSS px, its colours. */
export interface Surface {
  readonly context: CanvasRenderingContext2D
  readonly width: number
  readonly height: number
  readonly palette: Palette
}
