// RapidCheck's properties as GoogleTest tests. Its own header needs GoogleTest's before it.
//
// A failure prints the smallest counterexample and RC_PARAMS="reproduce=..." to run it again.

#pragma once

#include "gtest/gtest.h"

#include "rapidcheck.h"

#include "rapidcheck/gtest.h"
