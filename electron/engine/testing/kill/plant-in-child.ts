import {plantBug} from '../plant-bug.ts'
import {BUG} from './point.ts'

/* Loaded first in each thread of a child, where its environment names a bug. */

const bug = process.env[BUG]
if (bug !== undefined) plantBug(bug)
