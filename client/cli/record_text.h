// A stored record as people read it.

#pragma once

#include <string>

#include "kindred/v1/kindred.pb.h"

namespace kindred::cli {

// The payload if it is short text that can be shown on a line (a SMILES); otherwise empty.
std::string ShortPayload(const std::string& payload);

// "source=demo, year=2019".
std::string TagList(const google::protobuf::RepeatedPtrField<v1::Tag>& tags);

// Several lines: id, vertices, edges, payload, tags.
std::string DescribeRecord(const v1::Record& record);

}  // namespace kindred::cli
